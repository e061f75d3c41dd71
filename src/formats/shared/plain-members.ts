import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { plainFields } from "../../hub/field-names.ts";
import type { Format } from "../../hub/field-row.ts";
import type { JsonObject } from "./json.ts";

const FIELDS = { chat: plainFields("chat"), responses: plainFields("responses"), messages: plainFields("messages") };

/** Encodes the fields of a request that a format has as they are. */
export function plainMembers(format: Format, input: InferenceInput): JsonObject {
  const members: JsonObject = {};
  const fields = input as unknown as Readonly<Record<string, unknown>>;
  for (const { localName, member } of FIELDS[format]) {
    if (fields[localName] !== undefined) members[member] = fields[localName];
  }
  return members;
}
