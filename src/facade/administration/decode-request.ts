import { type DescField, type DescMessage, fromJson, type Message, ScalarType } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { FastifyRequest } from "fastify";
import { isJsonObject, type JsonObject } from "../../formats/shared/json.ts";
import { InferenceError } from "../../hub/error.ts";
import { HALF_CHARACTER } from "../../lib/hidden-characters.ts";
import { toCamelCase } from "../../lib/letter-case.ts";
import { enumWords } from "../../lib/protobuf/enum-word.ts";
import { fieldForm, readRawNumber, textForm } from "../../lib/protobuf/field-form.ts";
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
  const fault = findStranger(names, known, others);
  if (fault !== undefined) throw InferenceError.invalid(...fault);
}

/** Finds a name that is not known; undefined if there is none. */
function findStranger(
  names: readonly string[],
  known: readonly string[],
  others: readonly string[],
): Fault | undefined {
  const stranger = names.find((name) => !known.includes(name));
  if (stranger === undefined) return undefined;
  return [stranger.slice(0, 64), `is not known here; there are ${[...new Set([...known, ...others])].join(", ")}`];
}

/** Returns the mask of a merge patch: objects change member by member. */
function getMask(members: JsonObject): string {
  const paths = Object.entries(members).flatMap(([name, value]) =>
    isJsonObject(value) ? Object.keys(value).map((each) => `${name}.${each}`) : [name],
  );
  // The names of masks in proto's JSON.
  return paths.map((path) => toCamelCase(path)).join(",");
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
  const isRawNumber = typeof value === "object" && value !== null && !isJsonObject(value);
  if (field.enum === undefined) return isRawNumber ? readRawNumber(field, value) : value;
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
    const [place, problem] = findFault(schema, spelled) ?? ["", "is not what this route takes"];
    throw InferenceError.invalid(formatPlace(place, resource), problem);
  }
}

function read(schema: DescMessage, json: JsonObject): Message {
  const badTime = findBadTime(schema, json);
  if (badTime !== undefined) throw InferenceError.invalid(badTime, textForm(TimestampSchema) ?? "");
  return fromJson(schema, json as Parameters<typeof fromJson>[1]);
}

/** The place of a value, and what is wrong with it. */
type Fault = readonly [place: string, problem: string];

/** Finds what cannot be decoded; undefined if everything can. */
function findFault(schema: DescMessage, json: JsonObject): Fault | undefined {
  for (const field of schema.fields) {
    const value = json[field.name];
    const reason = value === undefined ? undefined : whyUnread(schema, { [field.name]: value });
    if (reason !== undefined) return findInField(schema, field, { value, reason });
  }
  return undefined;
}

/** Finds what cannot be decoded in a field, an item of it or a member of its message. */
function findInField(
  schema: DescMessage,
  field: DescField,
  { value, reason }: { readonly value: unknown; readonly reason: string },
): Fault {
  const { name, message: inner } = field;
  if (field.fieldKind === "list") {
    if (!Array.isArray(value)) return [name, "must be a list"];
    const at = value.findIndex((item) => whyUnread(schema, { [name]: [item] }) !== undefined);
    return atPlace(`${name}[${at}]`, field, { value: value[at], reason });
  }
  if (field.fieldKind === "map") {
    if (!isJsonObject(value)) return [name, "must be an object"];
    const key = Object.keys(value).find((each) => whyUnread(schema, { [name]: { [each]: value[each] } }) !== undefined);
    return key === undefined ? [name, getProblem(field, reason)] : [`${name}.${key}`, getProblem(field, reason)];
  }
  return inner === undefined ? [name, getProblem(field, reason)] : atPlace(name, field, { value, reason });
}

function atPlace(
  place: string,
  field: DescField,
  { value, reason }: { readonly value: unknown; readonly reason: string },
): Fault {
  const { message } = field;
  const hasMembers = message !== undefined && textForm(message) === undefined && isJsonObject(value);
  const known = hasMembers ? message.fields.map(({ name }) => name) : [];
  const found = hasMembers ? (findFault(message, value) ?? findStranger(Object.keys(value), known, [])) : undefined;
  return found === undefined ? [place, getProblem(field, reason)] : [`${place}.${found[0]}`, found[1]];
}

function getProblem(field: DescField, reason: string): string {
  return reason.endsWith("invalid UTF8") ? HALF_CHARACTER : fieldForm(field);
}

/** Returns why a message cannot be read from JSON; undefined if it can. */
function whyUnread(schema: DescMessage, json: JsonObject): string | undefined {
  try {
    read(schema, json);
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}
