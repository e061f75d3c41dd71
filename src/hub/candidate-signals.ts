/**
 * The signals by which one of several passed answers is ranked. All but `characters` are relative to the others of its
 * request that passed: what is the same for all of them says nothing of which is better.
 */
export interface CandidateSignals {
  /** The agreement with the others, less its mean over all of them; -1 to 1. */
  readonly agreement: number;
  /** Logarithm of its length over the mean length of the others; -2 to 2. */
  readonly length: number;
  /**
   * The distance of its length from the workload's usual one (of the logarithm), less its mean over all of them; -2 to
   * 2, 0 while nothing is usual.
   */
  readonly unusual: number;
  /** When it came: -1 first, 1 last. */
  readonly order: number;
  /**
   * 1 where it came from another place than the first one that is asked, else 0, less the mean of that over all of
   * them.
   */
  readonly elsewhere: number;
  /**
   * 1 where a machine has found it to be of the form that was asked for, else 0, less the mean of that over all of
   * them.
   */
  readonly proven: number;
  /**
   * The mean logarithm of its tokens' probabilities, less the mean of that over all of them; -2 to 2, 0 where one of
   * them came without, which they do unless the request asked for them.
   */
  readonly confidence: number;
  /**
   * The expected worth of its model for such requests, less its mean over all of them; -1 to 1, 0 where all are of one
   * model. Absent where it was written down by a version that did not look at it.
   */
  readonly model?: number;
  /** Its length. No answer is ranked by it: what is usual is learned from it. */
  readonly characters: number;
}

/** The ranking of an answer, as it is stored. */
export interface CandidateRanking {
  readonly signals: CandidateSignals;
  /** Chance that it had to be chosen among those that had come, 0 to 1. */
  readonly chance: number;
  /** The reward that was expected of it, 0 to 1; absent where nothing was learned of its workload yet. */
  readonly expectedReward?: number | undefined;
}

/** The signals that answers are ranked by, in the order of their weights. */
export const RANKED_SIGNALS = [
  ...(["agreement", "length", "unusual", "order", "elsewhere", "proven", "confidence"] as const),
  "model",
] as const;

/** A signal that answers are ranked by. */
export type RankedSignal = (typeof RANKED_SIGNALS)[number];
