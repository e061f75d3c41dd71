/** Takes one value; the promise resolves once the reader has asked for what comes after it. */
type Take<T> = (value: T) => Promise<void>;

type Offer<T> = { readonly value: T } | "ended";

/**
 * Gives what a producer pushes to a reader who pulls, one value at a time: the producer waits until each one was taken.
 * It begins with the first `next()`; its failure is thrown there. A reader who leaves aborts the producer's signal, and
 * gets its turn back when the producer has ended.
 */
export async function* iterate<T>(produce: (take: Take<T>, signal: AbortSignal) => Promise<void>): AsyncGenerator<T> {
  const stop = new AbortController();
  let offered = Promise.withResolvers<Offer<T>>();
  let taken = Promise.withResolvers<void>();
  const take: Take<T> = (value) => {
    offered.resolve({ value });
    return taken.promise;
  };
  const ended = produce(take, stop.signal).then(
    () => offered.resolve("ended"),
    (error) => offered.reject(error),
  );
  try {
    for (let offer = await offered.promise; offer !== "ended"; offer = await offered.promise) {
      yield offer.value;
      offered = Promise.withResolvers();
      const { resolve } = taken;
      taken = Promise.withResolvers();
      resolve();
    }
  } finally {
    stop.abort();
    taken.resolve();
    // The reader who left does not hear of a failure any more.
    offered.promise.catch(() => {});
    await ended;
  }
}
