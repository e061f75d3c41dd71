import type { Usage } from "../../gen/attune/content/v1/content_pb.ts";
import { FURTHER_KINDS, type FurtherKind, type TokenKind, type TokenPrices } from "./prices.ts";

/** Tokens of each kind, none of them in two. */
export type KindCounts = Readonly<Record<TokenKind, number>>;

/** Splits the tokens of an answer by all kinds that may have a price of their own. */
export function countKinds(usage: Omit<Usage, "$typeName">): KindCounts {
  const { billing, cacheWrite1hTokens: cacheWrite1h } = usage;
  const reasoning = atMost(usage.reasoningTokens, usage.outputTokens);
  const cacheWrite12h =
    billing === undefined ? 0 : atMost(billing.cacheWrite12hTokens, usage.cacheWriteTokens - cacheWrite1h);
  const { audioInput, imageInput, audioCacheRead, audioOutput, imageOutput } =
    billing === undefined ? NO_MEDIA : countMedia(billing, usage, usage.outputTokens - reasoning);
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

type MediaCounts = Pick<KindCounts, "audioInput" | "imageInput" | "audioCacheRead" | "audioOutput" | "imageOutput">;

const NO_MEDIA: MediaCounts = { audioInput: 0, imageInput: 0, audioCacheRead: 0, audioOutput: 0, imageOutput: 0 };

function countMedia(
  billing: NonNullable<Usage["billing"]>,
  usage: Pick<Usage, "inputTokens" | "cacheReadTokens">,
  written: number,
): MediaCounts {
  const audioInput = atMost(billing.audioInputTokens, usage.inputTokens);
  const audioOutput = atMost(billing.audioOutputTokens, written);
  return {
    audioInput,
    imageInput: atMost(billing.imageInputTokens, usage.inputTokens - audioInput),
    audioCacheRead: atMost(billing.audioCacheReadTokens, usage.cacheReadTokens),
    audioOutput,
    imageOutput: atMost(billing.imageOutputTokens, written - audioOutput),
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
  let joined: Record<TokenKind, number> | undefined;
  const gaps: string[] = [];
  for (const kind of FURTHER_KINDS) {
    if (counts[kind] === 0 || prices[kind] !== undefined) continue;
    const instead = INSTEAD[kind];
    joined ??= { ...counts };
    joined[instead.kind] += counts[kind];
    joined[kind] = 0;
    if (instead.gap !== undefined) gaps.push(instead.gap);
  }
  return { counts: joined ?? counts, gaps };
}
