import type { MessageInitShape } from "@bufbuild/protobuf";
import { JsonSchemaSchema, type OutputFormatSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { knownMembers } from "../../../hub/field-names.ts";
import { type JsonObject, unknownMembers } from "../../shared/json.ts";
import { optional, readArray, readBoolean, readInteger, readObject, readString, WireError } from "../../shared/read.ts";

/** Decodes `stop`: one text or up to four. Throws WireError. */
export function decodeStop(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== "string" && !Array.isArray(value)) {
    throw new WireError("stop", "must be a string or an array of strings");
  }
  const list = typeof value === "string" ? [value] : readArray(value, "stop");
  if (list.length > 4) throw new WireError("stop", `must have at most 4 texts, not ${list.length}`);
  return list.map((item, index) => {
    const path = typeof value === "string" ? "stop" : `stop[${index}]`;
    const text = readString(item, path);
    if (text === "") throw new WireError(path, "must not be empty");
    return text;
  });
}

/** Reads whether the body asks for a usage chunk, and what else `stream_options` say. Throws WireError. */
export function decodeStreamOptions(body: JsonObject, stream: boolean): JsonObject | undefined {
  const options = optional(body.stream_options, "stream_options", readObject);
  if (options === undefined) return undefined;
  if (!stream) throw new WireError("stream_options", "is for streams only: set stream to true, or leave it out");
  optional(options.include_usage, "stream_options.include_usage", readBoolean);
  return unknownMembers(options, new Set(["include_usage"]));
}

/** Tells whether the client wants a usage chunk. */
export function wantsUsage(body: JsonObject): boolean {
  const options = optional(body.stream_options, "stream_options", readObject);
  return options?.include_usage === true;
}

/** Most answers to one request. */
const MOST_CHOICES = 8;

/** Decodes `n`; undefined: one. Throws WireError. */
export function decodeChoices(value: unknown): number | undefined {
  const count = optional(value, "n", readInteger, { min: 1 });
  if (count === undefined || count <= MOST_CHOICES) return count;
  throw new WireError("n", `must be at most ${MOST_CHOICES}: send several requests for more answers`);
}

/** Refuses what asks for answers of a form that this service does not give. Throws WireError. */
export function refuseOptions(body: JsonObject): void {
  const modalities = optional(body.modalities, "modalities", readArray) ?? [];
  const other = modalities.findIndex((modality) => modality !== "text");
  if (other !== -1) throw new WireError(`modalities[${other}]`, "must be 'text': answers are text only");
}

/** A form that was decoded, and whether it holds what the hub does not model, so that its JSON must be kept whole. */
interface DecodedFormat {
  readonly format: MessageInitShape<typeof OutputFormatSchema> | undefined;
  readonly keep: boolean;
}

/** Decodes `response_format`; a form of an unknown type is kept as it is. Throws WireError. */
export function decodeFormat(value: unknown): DecodedFormat {
  const object = optional(value, "response_format", readObject);
  if (object === undefined) return { format: undefined, keep: false };
  const type = readString(object.type, "response_format.type");
  switch (type) {
    case "text":
      return { format: { kind: { case: "text", value: {} } }, keep: Object.keys(object).length > 1 };
    case "json_object":
      return { format: { kind: { case: "jsonObject", value: {} } }, keep: Object.keys(object).length > 1 };
    case "json_schema":
      return decodeSchema(object);
    default:
      return { format: undefined, keep: true };
  }
}

const SCHEMA_MEMBERS = knownMembers("chat", [JsonSchemaSchema], { path: "response_format.json_schema" });

function decodeSchema(object: JsonObject): DecodedFormat {
  const path = "response_format.json_schema";
  const schema = readObject(object.json_schema, path);
  const value = {
    name: readString(schema.name, `${path}.name`),
    description: optional(schema.description, `${path}.description`, readString),
    schemaJson: JSON.stringify(readObject(schema.schema, `${path}.schema`)),
    strict: optional(schema.strict, `${path}.strict`, readBoolean),
  };
  const keep = Object.keys(object).length > 2 || unknownMembers(schema, SCHEMA_MEMBERS) !== undefined;
  return { format: { kind: { case: "jsonSchema", value } }, keep };
}
