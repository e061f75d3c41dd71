/**
 * Returns an iterable whose source is made at the first `next()`; after that, every call goes straight to the source. An
 * async generator that delegates would do the same, and stand between for as long as the source lasts.
 */
export function startLater<T>(start: () => Promise<AsyncGenerator<T>>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new LateIterator(start) };
}

class LateIterator<T> implements AsyncIterator<T> {
  readonly #start: () => Promise<AsyncGenerator<T>>;
  #source: AsyncGenerator<T> | undefined;
  #ended = false;

  constructor(start: () => Promise<AsyncGenerator<T>>) {
    this.#start = start;
  }

  next(): Promise<IteratorResult<T>> {
    return this.#source === undefined ? this.#first() : this.#source.next();
  }

  async return(): Promise<IteratorResult<T>> {
    this.#ended = true;
    await this.#source?.return(undefined);
    return { done: true, value: undefined };
  }

  async #first(): Promise<IteratorResult<T>> {
    if (this.#ended) return { done: true, value: undefined };
    this.#ended = true;
    this.#source = await this.#start();
    return this.#source.next();
  }
}
