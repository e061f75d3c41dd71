import type { ContentBlock } from "../../../../gen/attune/content/v1/content_pb.ts";

/**
 * Tells whether a block is a text of white space alone, which Anthropic refuses ("text content blocks must contain
 * non-whitespace text") and which says nothing: models of other formats write "\n\n" beside a call.
 */
export function isBlankText({ kind }: ContentBlock): boolean {
  return (kind.case === "text" || kind.case === "refusal") && kind.value.text.trim() === "";
}
