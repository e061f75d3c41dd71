/** Clocks that a steady clock is made of. */
export interface Clocks {
  /** Milliseconds since 1970, by the system: it may be set at any time. */
  readonly now: () => number;
  /** Milliseconds since any time, which nobody sets. */
  readonly monotonic: () => number;
}

/** The clocks of this process. */
export const SYSTEM_CLOCKS: Clocks = { now: () => Date.now(), monotonic: () => performance.now() };

/**
 * Creates a clock that tells milliseconds since 1970 as the system told them when this was called, and goes on whatever
 * the system's clock is set to. It stands still while the machine sleeps.
 */
export function createSteadyClock({ now, monotonic }: Clocks = SYSTEM_CLOCKS): () => number {
  const aheadMs = now() - monotonic();
  return () => aheadMs + monotonic();
}
