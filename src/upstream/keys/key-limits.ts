import { Headroom } from "../../hub/headroom.ts";
import { Ejection } from "../../lib/ejection.ts";

/** The shortest rest of a key whose limit is used up, where the upstream does not say how long. */
const LEAST_REST_MS = 1000;

/** The rate limits of one key for one model. Times are milliseconds of a steady clock. */
export class KeyLimits {
  readonly headroom = new Headroom();
  readonly #rest = new Ejection();

  /** Until when the key rests; 0 if it never did. */
  get restsUntilMs(): number {
    return this.#rest.untilMs;
  }

  /** Takes note of an answer of success. */
  answered(headers: Readonly<Record<string, string>>, nowMs: number): void {
    this.#rest.succeeded(nowMs);
    this.headroom.note(headers, nowMs);
  }

  /** Takes note that a limit is used up; `askedMs` is how long the upstream asks to wait. */
  usedUp(headers: Readonly<Record<string, string>>, nowMs: number, askedMs = 0): void {
    this.#rest.failed(nowMs, Math.max(askedMs, LEAST_REST_MS));
    this.headroom.note(headers, nowMs);
  }
}
