import { threadMs } from "./thread-ms.ts";

/**
 * Tells the longest time of the processor that this thread took in one iteration of the event loop, in milliseconds, until
 * it is stopped. A busy machine does not add to it.
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
