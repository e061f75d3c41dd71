/** Time in which what is not confirmed loses most of its weight. */
const TAU_MS = 30_000;

/**
 * A moving average of times in milliseconds that follows a rise at once and a fall slowly, weighted by how long ago
 * each sample was (as Finagle's peak EWMA), with the plain average beside it.
 */
export class PeakEwma {
  #peakMs = 0;
  #meanMs = 0;
  #atMs = 0;
  #samples = 0;

  observe(ms: number, nowMs: number): void {
    const old = this.#samples === 0 ? 0 : Math.exp(-(nowMs - this.#atMs) / TAU_MS);
    // Samples that come together would count for nothing by time alone.
    const weight = Math.min(old, 0.9);
    this.#meanMs = weight * this.#meanMs + (1 - weight) * ms;
    this.#peakMs = ms > this.#peakMs ? ms : weight * this.#peakMs + (1 - weight) * ms;
    this.#atMs = nowMs;
    this.#samples += 1;
  }

  /** Returns the value at the latest sample; undefined if there is none. */
  get peakMs(): number | undefined {
    return this.#samples === 0 ? undefined : this.#peakMs;
  }

  /** The plain average; undefined before there are five samples. */
  get meanMs(): number | undefined {
    return this.#samples < 5 ? undefined : this.#meanMs;
  }

  /** The part of it that is still believed, 0 to 1. */
  trustAt(nowMs: number): number {
    return Math.exp(-(nowMs - this.#atMs) / TAU_MS);
  }
}
