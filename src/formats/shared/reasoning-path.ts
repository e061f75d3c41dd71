import type { ContentBlock } from "../../../gen/attune/content/v1/content_pb.ts";

/** Tells whether a block held reasoning of another origin, of which nothing is left but that it was there. */
export function isUnreadable({ kind }: ContentBlock): boolean {
  if (kind.case === "thinking") return kind.value.opaque === "";
  return kind.case === "redactedThinking" && kind.value.data === "";
}
