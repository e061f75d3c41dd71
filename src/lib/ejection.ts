/** The first time a place is left for last for so long; each further time twice as long. */
const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
/** Doublings after which the longest time is reached. */
const MOST_STRIKES = 6;
/** Time without a failure after which one time is forgotten. */
const FORGIVEN_MS = 60_000;
/** Time over which a place that comes back takes up its share again. */
const RETURN_MS = 10_000;
/** Time in which counts lose most of their weight. */
const TAU_MS = 30_000;

/** Failures in a row, or of the late calls more than so many and at least such a part of them, that are no chance. */
const IN_A_ROW = 2;
const MANY = 2.5;
const SHARE = 0.2;

/** Decides for how long a place that fails is left for last. Times are milliseconds of a steady clock. */
export class Ejection {
  #inARow = 0;
  #failures = 0;
  #calls = 0;
  #countedMs = 0;
  #strikes = 0;
  #failedMs = 0;
  #untilMs = 0;

  succeeded(nowMs: number): void {
    this.#inARow = 0;
    this.#count(0, nowMs);
  }

  /** `askedMs` is how long the place asked to be left alone. */
  failed(nowMs: number, askedMs: number): void {
    this.#inARow += 1;
    this.#count(1, nowMs);
    this.#forgive(nowMs);
    this.#failedMs = nowMs;
    // Calls that were under way already tell nothing new.
    const isOut = nowMs < this.#untilMs;
    const isNoChance = this.#inARow >= IN_A_ROW || (this.#failures >= MANY && this.#failures >= SHARE * this.#calls);
    let ms = Math.min(askedMs, LONGEST_MS);
    if (!isOut && isNoChance) {
      ms = Math.max(ms, Math.min(FIRST_MS * 2 ** this.#strikes, LONGEST_MS));
      this.#strikes = Math.min(this.#strikes + 1, MOST_STRIKES);
    }
    if (ms > 0) this.#untilMs = Math.max(this.#untilMs, nowMs + ms);
  }

  /** Until when the place is left for last; 0 if it never was. */
  get untilMs(): number {
    return this.#untilMs;
  }

  isOut(nowMs: number): boolean {
    return nowMs < this.#untilMs;
  }

  /** Returns the part of its share that a target has again: 0 right after its return, 1 in full. */
  returned(nowMs: number): number {
    if (this.#untilMs === 0) return 1;
    return Math.min(Math.max((nowMs - this.#untilMs) / RETURN_MS, 0), 1);
  }

  #count(failures: 0 | 1, nowMs: number): void {
    const old = Math.exp(-(nowMs - this.#countedMs) / TAU_MS);
    this.#failures = this.#failures * old + failures;
    this.#calls = this.#calls * old + 1;
    this.#countedMs = nowMs;
  }

  #forgive(nowMs: number): void {
    // Time in which nobody asked it proves nothing.
    const times = Math.floor((nowMs - Math.max(this.#failedMs, this.#untilMs)) / FORGIVEN_MS);
    this.#strikes = Math.max(0, this.#strikes - Math.max(0, times));
  }
}
