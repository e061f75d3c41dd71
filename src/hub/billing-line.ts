import type { ContentBlock } from "../../gen/attune/content/v1/content_pb.ts";

/**
 * The line that Claude Code puts at the very top of its instructions. It speaks to Anthropic alone, and is another one
 * for each first prompt, so that nothing behind it would be found in a cache that goes by the beginning of a prompt.
 */
const BILLING_LINE = /^x-anthropic-billing-header:[^\n]*\n*/;

/** Returns instructions without that line; the same list if it is not there. */
export function withoutBillingLine(system: readonly ContentBlock[]): readonly ContentBlock[] {
  const [first, ...others] = system;
  if (first?.kind.case !== "text" || !BILLING_LINE.test(first.kind.value.text)) return system;
  const text = first.kind.value.text.replace(BILLING_LINE, "");
  if (text === "") return others;
  return [{ ...first, kind: { case: "text", value: { ...first.kind.value, text } } }, ...others];
}
