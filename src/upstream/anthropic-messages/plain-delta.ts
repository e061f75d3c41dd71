import { isJsonObject } from "../../wire/json.ts";
import type { PlainEvent } from "../repeated-event.ts";

/** An event with a piece of a text block, and no member beside those of the format. */
export const PLAIN_DELTA: PlainEvent = {
  isPlain({ type, delta, ...rest }) {
    if (type !== "content_block_delta" || !isJsonObject(delta) || delta["type"] !== "text_delta") return false;
    return Object.keys(rest).every((name) => name === "index") && Object.keys(delta).length === 2;
  },
  paths: [["delta", "text"]],
};
