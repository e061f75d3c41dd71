import type { ContentBlock } from "../../gen/attune/content/v1/content_pb.ts";
import { chatReasoningMember, isReasoningBlock } from "./reasoning-place.ts";

/** Found once for a whole message: to count what stands before each block anew takes the square of their number. */
const known = new WeakMap<readonly ContentBlock[], readonly string[]>();

/**
 * Names the place of a block of a message that came in the Chat format, as its caller knows it: `content[2]`, `tool_calls[0]`,
 * or the member that holds reasoning; empty for a tool's result, which is the message itself.
 */
export function chatBlockPlace(content: readonly ContentBlock[], index: number): string {
  let places = known.get(content);
  if (places === undefined) {
    places = placesOf(content);
    known.set(content, places);
  }
  return places[index] ?? `content[${index}]`;
}

function placesOf(content: readonly ContentBlock[]): string[] {
  let calls = 0;
  let parts = 0;
  return content.map((block) => {
    if (isReasoningBlock(block)) return chatReasoningMember(block);
    switch (block.kind.case) {
      case "toolResult":
        parts += 1;
        return "";
      case "toolUse":
        calls += 1;
        return `tool_calls[${calls - 1}]`;
      default:
        parts += 1;
        return `content[${parts - 1}]`;
    }
  });
}
