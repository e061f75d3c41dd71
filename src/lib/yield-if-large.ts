import { EventLoopBudget } from "./event-loop-budget.ts";

/** Bytes from which each step with a text takes long enough for others to be let in after it. */
const LARGE_BYTES = 2 ** 20;
/** Bytes up to which a step takes so little that it need not be counted. */
const SMALL_BYTES = 2 ** 16;

/** Of all that yield: steps of several large texts in one iteration of the event loop would hold it for the sum. */
const share = new EventLoopBudget();

/**
 * Lets other work run after a step with a large text, and waits while the steps of others have used up this
 * one. Undefined for a small one, and where nobody else is at work: what need not be awaited costs nothing.
 */
export function yieldIfLarge(bytes: number): Promise<void> | undefined {
  if (bytes <= SMALL_BYTES) return undefined;
  return bytes > LARGE_BYTES ? share.yield() : share.acquire();
}
