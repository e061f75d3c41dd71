import { setImmediate } from "node:timers";

let end: Promise<void> | undefined;

/**
 * Waits until all that has come in this turn of the event loop was read. Those who wait go on together, one after another in their order: each step is done for
 * all of them before the next, while its code and data are in the processor's caches, and what they send wakes its readers once.
 */
export function turnEnd(): Promise<void> {
  end ??= new Promise((resolve) => {
    setImmediate(() => {
      end = undefined;
      resolve();
    });
  });
  return end;
}
