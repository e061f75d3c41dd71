import { LEAST_REVIEWED, USUAL_CALLS } from "../../vocabulary/improvement.ts";

/** The facts that limit an improvement. */
interface ReviewFacts {
  readonly judges: number;
  /** Pairs of the workload that people judged blind. */
  readonly reviewed: number;
}

/**
 * Returns the number of recorded requests that others may be asked for, of those that somebody wants. One judge may
 * favor a model, which more of its grades don't reveal.
 */
export function limitCalls(wanted: number, { judges, reviewed }: ReviewFacts): number {
  return judges > 1 || reviewed >= LEAST_REVIEWED ? wanted : Math.min(wanted, USUAL_CALLS);
}
