/** The waiters for inferences that other processes write. */
export class WrittenWaiters {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Waits for an inference; `isWritten` resolves to false when the time is over, and when it is cancelled. */
  add(id: string, limitMs: number) {
    const { promise: isWritten, resolve } = Promise.withResolvers<boolean>();
    const end = (written: boolean): void => {
      clearTimeout(timer);
      const waiting = this.#waiting.get(id);
      waiting?.delete(wake);
      if (waiting?.size === 0) this.#waiting.delete(id);
      resolve(written);
    };
    const wake = (): void => end(true);
    const timer = setTimeout(() => end(false), limitMs);
    this.#waiting.set(id, (this.#waiting.get(id) ?? new Set()).add(wake));
    return { isWritten, cancel: () => end(false) };
  }

  /** Another process says that it has written an inference. */
  wake(id: string): void {
    for (const wake of this.#waiting.get(id) ?? []) wake();
  }
}
