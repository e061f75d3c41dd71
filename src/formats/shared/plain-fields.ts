import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { type PlainField, plainFields } from "../../hub/field-names.ts";
import type { Format } from "../../hub/field-row.ts";
import type { JsonObject } from "./json.ts";
import { type Bounds, optional, readBoolean, readInteger, readNumber, readString } from "./read.ts";

const FIELDS = { chat: plainFields("chat"), responses: plainFields("responses"), messages: plainFields("messages") };

const READERS: Readonly<Record<PlainField["type"], (value: unknown, path: string, bounds: Bounds) => unknown>> = {
  boolean: readBoolean,
  integer: readInteger,
  number: readNumber,
  string: readString,
};

/** The values of fields that are one number, text or switch. */
type PlainInit = {
  [Name in keyof InferenceInput as NonNullable<InferenceInput[Name]> extends string | number | boolean
    ? Exclude<Name, `$${string}`>
    : never]?: InferenceInput[Name];
};

/** Reads the fields of a request that a format has as they are. Throws WireError. */
export function readPlainFields(format: Format, body: JsonObject): PlainInit {
  const read: Record<string, unknown> = {};
  for (const { localName, member, type, bounds } of FIELDS[format]) {
    const value = optional(body[member], member, READERS[type], bounds);
    if (value !== undefined) read[localName] = value;
  }
  return read;
}

/** Encodes the fields of a request that a format has as they are. */
export function plainMembers(format: Format, input: InferenceInput): JsonObject {
  const members: JsonObject = {};
  const fields = input as unknown as Readonly<Record<string, unknown>>;
  for (const { localName, member } of FIELDS[format]) {
    if (fields[localName] !== undefined) members[member] = fields[localName];
  }
  return members;
}
