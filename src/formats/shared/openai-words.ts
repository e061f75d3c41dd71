import { CacheTtl, ReasoningEffort } from "../../../gen/attune/content/v1/content_pb.ts";

/** Values of `reasoning.effort`. */
export const EFFORT_WORDS = {
  none: ReasoningEffort.NONE,
  minimal: ReasoningEffort.MINIMAL,
  low: ReasoningEffort.LOW,
  medium: ReasoningEffort.MEDIUM,
  high: ReasoningEffort.HIGH,
  xhigh: ReasoningEffort.XHIGH,
  max: ReasoningEffort.MAX,
} as const;

/** Values of `prompt_cache_breakpoint.ttl`. */
export const CACHE_TTL_WORDS = { "30m": CacheTtl.CACHE_TTL_30M, "12h": CacheTtl.CACHE_TTL_12H } as const;

/** Values of `reasoning.summary`. */
export const SUMMARY_WORDS = ["auto", "concise", "detailed"] as const;

/** Values of an image's `detail`. */
export const DETAIL_WORDS = ["auto", "low", "high", "original"] as const;

/** Values of `text.verbosity`. */
export const VERBOSITY_WORDS = ["low", "medium", "high"] as const;
