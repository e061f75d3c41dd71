/** More work waits than is taken. */
export class BusyError extends Error {
  constructor() {
    super("too much work of this kind is waiting");
    this.name = "BusyError";
  }
}

/** Runs work when it is its turn. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a gate that lets `atOnce` pieces of work run at a time and `waiting` more wait; others reject with BusyError. */
export function createGate(atOnce: number, waiting: number): Gate {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) {
      if (queue.length >= waiting) throw new BusyError();
      // Who is woken takes over the place of the one that ended.
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
