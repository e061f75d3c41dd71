/** The delay from a decision until its feedback is learned, where that is sent at once. */
export interface Delay {
  readonly meanMs: number;
  /** Mean distance from that mean. */
  readonly deviationMs: number;
}

/** The longest delay that counts: later feedback is on decisions that no wait would have helped. */
const LONGEST_MS = 10_000;
/** Part of what is believed that one more delay makes. */
const STEP = 1 / 32;
/**
 * Mean distances above the mean that nearly all delays are within: as TCP reckons when an answer is overdue (RFC 6298).
 */
const DEVIATIONS = 4;
/** From writing what was learned to reading it. */
const READ_WITHIN_MS = 100;
/** The delay assumed before anything is known. */
const AT_FIRST_MS = 500;

/** Takes note of one more delay, in milliseconds; of later feedback, and where clocks are apart, nothing is learned. */
export function noteDelay(known: Delay | undefined, ms: number): Delay | undefined {
  if (!(ms >= 0 && ms <= LONGEST_MS)) return known;
  if (known === undefined) return { meanMs: ms, deviationMs: ms / 2 };
  const { meanMs, deviationMs } = known;
  return {
    meanMs: meanMs + STEP * (ms - meanMs),
    deviationMs: deviationMs + STEP * (Math.abs(ms - meanMs) - deviationMs),
  };
}

/** A learner that keeps up learns of an answer within so long of its end. */
const KEEPS_UP_MS = 1000;

/**
 * The time after which nearly all that feedback tells at once of a decision is learned and read, in milliseconds, where
 * what was learned last had ended so long ago. A learner that was away works off what waited for it, and knows nothing
 * yet of what came later.
 */
export function learnedWithinMs(known: Delay | undefined, behindMs = 0): number {
  const late = behindMs > KEEPS_UP_MS ? behindMs : 0;
  return late + READ_WITHIN_MS + (known === undefined ? AT_FIRST_MS : known.meanMs + DEVIATIONS * known.deviationMs);
}
