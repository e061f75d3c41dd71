import type { JsonObject } from "../../shared/json.ts";
import type { BlockSink } from "./block-sink.ts";
import { CallReader } from "./call-reader.ts";
import type { ItemReader } from "./item-reader.ts";
import { MessageReader } from "./message-reader.ts";
import { OpaqueReader } from "./opaque-reader.ts";
import { ReasoningReader } from "./reasoning-reader.ts";

/** Creates the reader of an item. `announcement` is the event that added it, if there was one. */
export function openItem(item: JsonObject, sink: BlockSink, announcement: string | undefined): ItemReader {
  switch (item.type) {
    case "message":
      return new MessageReader(item, sink);
    case "function_call":
    case "custom_tool_call":
      return new CallReader(item, item.type, sink);
    case "reasoning":
      return new ReasoningReader(item, sink);
    default:
      return new OpaqueReader(item, sink, announcement);
  }
}
