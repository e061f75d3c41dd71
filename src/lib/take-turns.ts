import { setImmediate } from "node:timers/promises";

/** Bytes from which each step with a text takes long enough for others to be let in after it. */
const LARGE_BYTES = 2 ** 20;

/** Small steps of a long list that may be made in one turn: some ten milliseconds of them. */
const STEPS = 500;

/**
 * Counts the small steps of a long list, and lets others have their turn after some hundred of them. Undefined in between:
 * what need not be awaited costs nothing.
 */
export function createStepper(): (steps: number) => Promise<void> | undefined {
  let made = 0;
  return (steps) => {
    made += steps;
    if (made < STEPS) return undefined;
    made = 0;
    return setImmediate();
  };
}

/**
 * Lets others have their turn after a step with a large text. Undefined for a small one: what need not be awaited costs
 * nothing.
 */
export function takeTurns(bytes: number): Promise<void> | undefined {
  return bytes > LARGE_BYTES ? setImmediate() : undefined;
}
