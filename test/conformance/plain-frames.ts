import type { UpstreamKind } from "./topic.ts";

/** What the events of a piece of text have, in each format. */
export const PIECE: Readonly<Record<UpstreamKind, RegExp>> = {
  "openai-chat": /"delta":\{"content":"/,
  "openai-responses": /"type":"response\.output_text\.delta"/,
  "anthropic-messages": /"type":"text_delta"/,
};

/** Puts blanks that mean nothing before each event's members, no two alike: no event is then like another one. */
export function unlike(frames: string): string {
  let count = 0;
  return frames.replace(/^data: \{/gm, () => `data: {${" ".repeat(++count)}`);
}
