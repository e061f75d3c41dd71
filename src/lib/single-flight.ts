import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Has all who ask share what is made for them: one is made at a time, at most one in an iteration of the event loop,
 * and those who ask meanwhile share the next. What each gets was begun after it asked, however many ask.
 */
export function singleFlight<T>(make: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    next ??= last.then(() => {
      next = undefined;
      const made = make();
      const wait = () => nextTurn();
      last = made.then(wait, wait);
      return made;
    });
    return next;
  };
}
