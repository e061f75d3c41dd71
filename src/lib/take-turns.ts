import { setImmediate } from "node:timers/promises";

/** Bytes from which each step with a text takes long enough for others to be let in after it. */
const LARGE_BYTES = 2 ** 20;

/**
 * Lets others have their turn after a step with a large text. Undefined for a small one: what need not be awaited costs
 * nothing.
 */
export function takeTurns(bytes: number): Promise<void> | undefined {
  return bytes > LARGE_BYTES ? setImmediate() : undefined;
}
