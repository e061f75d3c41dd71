import { threadMs } from "./thread-ms.ts";

/**
 * Tells the longest time of the processor that this thread took in one iteration of the event loop, in milliseconds,
 * until it is stopped. A busy machine does not add to it.
 */
export function watchTurns(): () => number {
  let [longest, last] = [0, threadMs()];
  const tick = () => {
    const now = threadMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(tick, 1);
  return () => {
    clearInterval(timer);
    tick();
    return longest;
  };
}

const TRIES = 3;

/**
 * Returns the longest iteration of the event loop in the work, which is done again, twice at most, until that is below
 * `mostMs`: what holds the loop does so each time. A collection of the garbage that all files of this process left
 * falls into one now and then, and takes 100 ms of it beside 600 MiB of objects.
 */
export async function longestTurnOf(work: () => Promise<void>, mostMs: number): Promise<number> {
  let longest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && longest >= mostMs; tries += 1) {
    const stop = watchTurns();
    await work();
    longest = Math.min(longest, stop());
  }
  return longest;
}
