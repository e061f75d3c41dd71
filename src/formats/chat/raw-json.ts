import { Dialect, type RawJson } from "../../../gen/attune/content/v1/content_pb.ts";
import { type JsonObject, parseJsonObject } from "../shared/json.ts";

/** Wraps members, or a whole object or word, that only the Chat dialect knows; undefined if there are none. */
export function chatJson(members: JsonObject | string): RawJson;
export function chatJson(members: JsonObject | undefined): RawJson | undefined;
export function chatJson(members: JsonObject | string | undefined): RawJson | undefined {
  if (members === undefined) return undefined;
  return { $typeName: "attune.content.v1.RawJson", dialect: Dialect.CHAT, json: JSON.stringify(members) };
}

/** Returns what is wrapped if it belongs to the Chat dialect; otherwise undefined. */
export function readChatJson(raw: RawJson | undefined): JsonObject | undefined {
  return raw?.dialect === Dialect.CHAT ? parseJsonObject(raw.json) : undefined;
}
