import type { ContentBlock } from "../../gen/attune/content/v1/content_pb.ts";

/**
 * The line that Claude Code puts before its instructions, at the beginning of a block. It speaks to Anthropic alone,
 * and is another one for each first prompt, so that nothing behind it would be found in a cache that goes by the
 * beginning of a prompt.
 */
const BILLING_LINE = /^\s*x-anthropic-billing-header:[^\n]*\s*/i;

/** Returns instructions without that line; the same list if it is nowhere. */
export function withoutBillingLine(system: readonly ContentBlock[]): readonly ContentBlock[] {
  if (!system.some(isBilled)) return system;
  return system.flatMap((block) => {
    if (!isBilled(block) || block.kind.case !== "text") return [block];
    const text = block.kind.value.text.replace(BILLING_LINE, "");
    return text === "" ? [] : [{ ...block, kind: { case: "text", value: { ...block.kind.value, text } } }];
  });
}

/** Tells whether a block is nothing but that line. */
export function isBillingLine(block: ContentBlock): boolean {
  return isBilled(block) && block.kind.case === "text" && block.kind.value.text.replace(BILLING_LINE, "") === "";
}

function isBilled({ kind }: ContentBlock): boolean {
  return kind.case === "text" && BILLING_LINE.test(kind.value.text);
}
