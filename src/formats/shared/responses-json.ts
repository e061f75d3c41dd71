import { create } from "@bufbuild/protobuf";
import { Dialect, type RawJson, RawJsonSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { type JsonObject, parseJsonObject } from "./json.ts";

/** Wraps members, or a whole object or word, that only the Responses dialect knows; undefined if there are none. */
export function responsesJson(members: JsonObject | string): RawJson;
export function responsesJson(members: JsonObject | undefined): RawJson | undefined;
export function responsesJson(members: JsonObject | string | undefined): RawJson | undefined {
  if (members === undefined) return undefined;
  return create(RawJsonSchema, { dialect: Dialect.RESPONSES, json: JSON.stringify(members) });
}

/** Returns what is wrapped if it belongs to the Responses dialect; otherwise undefined. */
export function readResponsesJson(raw: RawJson | undefined): JsonObject | undefined {
  return raw?.dialect === Dialect.RESPONSES ? parseJsonObject(raw.json) : undefined;
}
