import { setTimeout as delay } from "node:timers/promises";

/** Lets others have their turn where work has gone on for long enough; resolves at once where it has not. */
export type TimeSlicer = () => Promise<void>;

/** The times for which work runs, and then rests. */
interface PaceTimes {
  readonly workMs: number;
  readonly restMs: number;
}

/** One request takes several iterations of the event loop: in a rest it has them one after another. */
const TIMES: PaceTimes = { workMs: 10, restMs: 10 };

/**
 * Creates the pace of a long piece of work that is made of short ones: SQLite answers, and small bodies are decoded,
 * without leaving the turn. A piece of work has one pace: two would take each other's rests for work.
 */
export function createTimeSlicer({ workMs, restMs }: PaceTimes = TIMES): TimeSlicer {
  let endsAt = performance.now() + workMs;
  return async () => {
    if (performance.now() < endsAt) return;
    await delay(restMs);
    endsAt = performance.now() + workMs;
  };
}
