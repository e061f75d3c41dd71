import { create } from "@bufbuild/protobuf";
import { Dialect, type RawJson, RawJsonSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../shared/json.ts";

/** Wraps members that only the Messages dialect knows; undefined if there are none. */
export function messagesJson(members: JsonObject): RawJson;
export function messagesJson(members: JsonObject | undefined): RawJson | undefined;
export function messagesJson(members: JsonObject | undefined): RawJson | undefined {
  if (members === undefined) return undefined;
  return create(RawJsonSchema, { dialect: Dialect.MESSAGES, json: JSON.stringify(members) });
}
