import type { Usage } from "../../gen/attune/content/v1/content_pb.ts";
import { FURTHER_KINDS, type FurtherKind, type TokenKind, type TokenPrices } from "./prices.ts";

/** Tokens of each kind, none of them in two. */
export type KindCounts = Readonly<Record<TokenKind, number>>;

/** Splits the tokens of an answer by all kinds that may have a price of their own. */
export function countKinds({ billing, ...usage }: Omit<Usage, "$typeName">): KindCounts {
  const audioInput = atMost(billing?.audioInputTokens, usage.inputTokens);
  const imageInput = atMost(billing?.imageInputTokens, usage.inputTokens - audioInput);
  const audioCacheRead = atMost(billing?.audioCacheReadTokens, usage.cacheReadTokens);
  const reasoning = atMost(usage.reasoningTokens, usage.outputTokens);
  const audioOutput = atMost(billing?.audioOutputTokens, usage.outputTokens - reasoning);
  const imageOutput = atMost(billing?.imageOutputTokens, usage.outputTokens - reasoning - audioOutput);
  const cacheWrite1h = usage.cacheWrite1hTokens;
  const cacheWrite12h = atMost(billing?.cacheWrite12hTokens, usage.cacheWriteTokens - cacheWrite1h);
  return {
    input: usage.inputTokens - audioInput - imageInput,
    cacheRead: usage.cacheReadTokens - audioCacheRead,
    // Writes whose lifetime is not known count as those of five minutes.
    cacheWrite5m: Math.max(usage.cacheWrite5mTokens, usage.cacheWriteTokens - cacheWrite1h - cacheWrite12h),
    cacheWrite1h,
    cacheWrite12h,
    reasoning,
    audioInput,
    audioCacheRead,
    audioOutput,
    imageInput,
    imageOutput,
    output: usage.outputTokens - reasoning - audioOutput - imageOutput,
  };
}

function atMost(count = 0, bound: number): number {
  return Math.max(0, Math.min(count, bound));
}

/** The kind whose price holds where a kind has none, and the name of the gap where that may be too little. */
const INSTEAD: Record<FurtherKind, { readonly kind: TokenKind; readonly gap?: string }> = {
  cacheWrite12h: { kind: "cacheWrite1h", gap: "cache writes for 12 hours" },
  reasoning: { kind: "output" },
  audioInput: { kind: "input", gap: "audio in the prompt" },
  audioCacheRead: { kind: "cacheRead", gap: "cached audio in the prompt" },
  audioOutput: { kind: "output", gap: "audio in the answer" },
  imageInput: { kind: "input" },
  imageOutput: { kind: "output", gap: "pictures in the answer" },
};

/** Counts tokens of kinds without a price with the kind that is charged instead; lists what that leaves open. */
export function joinUnpriced(
  counts: KindCounts,
  prices: TokenPrices,
): { readonly counts: KindCounts; readonly gaps: readonly string[] } {
  const joined = { ...counts };
  const gaps: string[] = [];
  for (const kind of FURTHER_KINDS) {
    if (counts[kind] === 0 || prices[kind] !== undefined) continue;
    const instead = INSTEAD[kind];
    joined[instead.kind] += counts[kind];
    joined[kind] = 0;
    if (instead.gap !== undefined) gaps.push(instead.gap);
  }
  return { counts: joined, gaps };
}
