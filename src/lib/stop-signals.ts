/** The callbacks for when the process is told to end. */
interface Stopping {
  /** At the first signal: ends in order. */
  readonly end: () => void;
  /** At a second one: ends at once. */
  readonly endNow: () => void;
}

/**
 * Signals so close to each other are one: a terminal sends Ctrl-C to every process that it runs, and those that started
 * this one hand theirs on.
 */
const SAME_MS = 500;

/** Tells the first signal to end from a second one. Returns what a signal is to call. */
export function createStop({ end, endNow }: Stopping, now: () => number = () => performance.now()): () => void {
  let firstAt: number | undefined;
  return () => {
    if (firstAt === undefined) {
      firstAt = now();
      end();
    } else if (now() - firstAt >= SAME_MS) endNow();
  };
}
