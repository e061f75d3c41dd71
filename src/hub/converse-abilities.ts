/** The places that take cache points: none, instructions and messages, or tools too and for an hour where asked. */
export const CACHE_POINTS = ["none", "prompt", "all"] as const;

/** The abilities of models behind Converse, which refuse what they have not, and by no rule that their names tell. */
export interface ConverseAbilities {
  /** True if they take a schema for their answer, and tools that bind. */
  readonly structuredOutput: boolean;
  /** True if they take an effort. */
  readonly effort: boolean;
  /** True if they cite documents. */
  readonly citations: boolean;
  readonly cachePoints: (typeof CACHE_POINTS)[number];
}
