import { type DescField, type DescMessage, fromJson, type Message, ScalarType } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { FastifyRequest } from "fastify";
import { isJsonObject, type JsonObject } from "../../formats/shared/json.ts";
import { InferenceError } from "../../hub/error.ts";
import { HALF_CHARACTER } from "../../lib/hidden-characters.ts";
import { enumWords } from "../../lib/protobuf/enum-word.ts";
import { findBadTime } from "../../lib/protobuf/find-bad-time.ts";
import { objectBody } from "../parse-body.ts";

/** Names of fields that the address or the rules of JSON have in place of them. */
const HIDDEN = new Set(["update_mask"]);

/** The way in which members of a body are read. */
interface Body {
  /** The field of the request that they belong to; undefined if none. */
  readonly resource: string | undefined;
  /** Completes them. */
  readonly complete?: ((members: JsonObject) => JsonObject) | undefined;
}

/**
 * Decodes the request of an RPC from path, query and body. Members of the body that the request has no field for are
 * members of its resource. A PATCH is a JSON Merge Patch (RFC 7396): what is there changes, and null takes away. Throws
 * INVALID_REQUEST.
 */
export function decodeRequest(
  schema: DescMessage,
  request: FastifyRequest,
  { resource, complete = (members) => members }: Body,
): Message {
  const { body, query, params, method } = request;
  const fields = schema.fields.filter(({ name }) => name !== resource && !HIDDEN.has(name)).map(({ name }) => name);
  const given = Object.entries(body === undefined ? {} : objectBody(body));
  const own = Object.fromEntries(given.filter(([name]) => fields.includes(name)));
  const members = Object.fromEntries(given.filter(([name]) => !fields.includes(name)));
  const address = Object.entries(query as JsonObject).map(([name, value]) => [
    name,
    readParameter(schema, name, value),
  ]);
  const json: JsonObject = { ...own, ...Object.fromEntries(address), ...(params as JsonObject) };
  const ofResource = schema.fields.find(({ name }) => name === resource)?.message?.fields.map(({ name }) => name) ?? [];
  checkKnown(Object.keys(json), fields, ofResource);
  checkKnown(Object.keys(members), ofResource, fields);
  if (resource !== undefined) json[resource] = complete(members);
  if (method === "PATCH") json["update_mask"] = getMask(members);
  return decode(schema, json, resource);
}

/** Returns the place of a problem as the caller has it: members of the resource stand in the body itself. */
export function formatPlace(place: string, resource: string | undefined): string {
  if (place === "update_mask") return "body";
  return resource !== undefined && place.startsWith(`${resource}.`) ? place.slice(resource.length + 1) : place;
}

/** Throws INVALID_REQUEST for a name that is not known. */
function checkKnown(names: readonly string[], known: readonly string[], others: readonly string[]): void {
  const stranger = names.find((name) => !known.includes(name));
  if (stranger === undefined) return;
  const all = [...new Set([...known, ...others])].join(", ");
  throw InferenceError.invalid(stranger.slice(0, 64), `is not known here; there are ${all}`);
}

/** Returns the mask of a merge patch: objects change member by member. */
function getMask(members: JsonObject): string {
  const paths = Object.entries(members).flatMap(([name, value]) =>
    isJsonObject(value) ? Object.keys(value).map((each) => `${name}.${each}`) : [name],
  );
  // The names of masks in proto's JSON.
  return paths.map((path) => path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())).join(",");
}

/** Reads a parameter of the address, which is a text. */
function readParameter(schema: DescMessage, name: string, value: unknown): unknown {
  if (typeof value !== "string") throw InferenceError.invalid(name, "must be given once");
  const field = schema.fields.find((each) => each.name === name);
  if (field?.fieldKind === "list") return value.split(",");
  if (field?.scalar !== ScalarType.BOOL) return value;
  if (value === "true" || value === "false") return value === "true";
  throw InferenceError.invalid(name, "must be true or false");
}

/** Enums go by words such as `active`; `place` is that of the message. */
function enumsFromWords(schema: DescMessage, json: JsonObject, place = ""): JsonObject {
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      const field = schema.fields.find((each) => each.name === name);
      if (field === undefined || value === undefined || value === null) return [name, value];
      return [name, enumFromWord(field, value, place + name)];
    }),
  );
}

function enumFromWord(field: DescField, value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((each) => enumFromWord(field, each, place));
  if (field.message !== undefined && isJsonObject(value)) return enumsFromWords(field.message, value, `${place}.`);
  if (field.enum === undefined) return value;
  const found = field.enum.values.find(({ localName, number }) => number > 0 && localName.toLowerCase() === value);
  if (found !== undefined) return found.name;
  throw InferenceError.invalid(place, `must be ${enumWords(field.enum).join(", ")}`);
}

function decode(schema: DescMessage, json: JsonObject, resource: string | undefined): Message {
  let spelled = json;
  try {
    spelled = enumsFromWords(schema, json);
    return read(schema, spelled);
  } catch (thrown) {
    if (thrown instanceof InferenceError) throw thrown.atPlaces((place) => formatPlace(place, resource));
    const [place, problem] = findFault(schema, spelled, (thrown as Error).message);
    throw InferenceError.invalid(formatPlace(place, resource), problem);
  }
}

function read(schema: DescMessage, json: JsonObject): Message {
  const badTime = findBadTime(schema, json);
  if (badTime !== undefined) throw InferenceError.invalid(badTime, FORMS[TimestampSchema.typeName] ?? "");
  return fromJson(schema, json as Parameters<typeof fromJson>[1]);
}

/** Returns the place of what cannot be decoded, and what is wrong with it. */
function findFault(schema: DescMessage, json: JsonObject, message: string): [place: string, problem: string] {
  for (const [name, value] of Object.entries(json)) {
    try {
      read(schema, { [name]: value });
    } catch (thrown) {
      const inner = schema.fields.find((field) => field.name === name)?.message;
      const problem = inner && FORMS[inner.typeName];
      if (problem !== undefined) return [name, problem];
      if (inner === undefined || !isJsonObject(value)) return [name, getProblem((thrown as Error).message)];
      const [place, reason] = findFault(inner, value, (thrown as Error).message);
      return [place === "" ? name : `${name}.${place}`, reason];
    }
  }
  return ["", getProblem(message)];
}

/** Mistakes in messages that JSON has as texts. */
const FORMS: Readonly<Record<string, string>> = {
  "google.protobuf.Timestamp": "must be a time such as 2027-01-31T12:00:00Z",
  "google.protobuf.Duration": "must be a number of seconds with an s, such as 3600s",
};

/** "cannot decode field attune.admin.v1.Key.name from JSON: expected string, got 5" */
function getProblem(message: string): string {
  if (message.endsWith("invalid UTF8")) return HALF_CHARACTER;
  return /from JSON: ([\s\S]*)$/.exec(message)?.[1] ?? "is not what this route takes";
}
