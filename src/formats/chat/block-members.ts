import type { RawJson } from "../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../shared/json.ts";
import { readChatJson } from "./raw-json.ts";

/** Returns what the extension of a block adds to the block's own JSON. */
export function blockMembers(extension: RawJson | undefined): JsonObject {
  return readChatJson(extension) ?? {};
}
