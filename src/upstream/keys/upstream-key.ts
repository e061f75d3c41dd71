import { Headroom } from "../../hub/headroom.ts";
import type { UpstreamKeyReport } from "../../hub/upstream.ts";
import { Ejection } from "../../lib/ejection.ts";

/** The shortest rest of a key whose limit is used up, where the upstream does not say how long. */
const LEAST_REST_MS = 1000;

/** The rate limits of one key for one model. Times are milliseconds of a steady clock. */
class KeyLimits {
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

/** The first time a key is refused it is left out for so long; each further time twice as long. */
const FIRST_REFUSAL_MS = 60_000;
const LONGEST_REFUSAL_MS = 3_600_000;
/** One call finds out whether a key is taken again: the others leave it alone for so long. */
const TRIAL_MS = 10_000;

/** One of several keys of an upstream. Times are milliseconds of a steady clock. */
export class UpstreamKey {
  /** Its place in the configuration: `apiKeys[1]`. */
  readonly name: string;
  /** A secret; so are the values of the headers. */
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  inFlight = 0;
  /** When it was chosen last. */
  usedMs = 0;
  readonly #limits = new Map<string, KeyLimits>();
  /** Refusals since it was taken last. */
  #refusals = 0;
  #refusedMs = 0;
  #refusedUntilMs = 0;

  constructor(name: string, secret: string, headers: Readonly<Record<string, string>>) {
    this.name = name;
    this.secret = secret;
    this.headers = headers;
  }

  /** The limits for a model as the upstream calls it; there are as many as are configured. */
  limitsOf(model: string): KeyLimits {
    let limits = this.#limits.get(model);
    if (limits === undefined) {
      limits = new KeyLimits();
      this.#limits.set(model, limits);
    }
    return limits;
  }

  /** Returns when it can be asked for a model again; a time that is over if it can be now. */
  freeAtMs(model: string): number {
    return Math.max(this.#refusedUntilMs, this.limitsOf(model).restsUntilMs);
  }

  /** Takes note that a call goes by it. */
  began(nowMs: number): void {
    this.inFlight += 1;
    this.usedMs = nowMs;
    if (this.#refusals > 0) this.#refusedUntilMs = Math.max(this.#refusedUntilMs, nowMs + TRIAL_MS);
  }

  /** Takes note that the upstream takes it; returns whether it had refused it before the request was sent. */
  taken(sentMs: number): boolean {
    const wasRefused = this.#refusals > 0;
    // An answer may begin minutes after its request was let in.
    if (wasRefused && sentMs < this.#refusedMs) return false;
    this.#refusals = 0;
    this.#refusedUntilMs = 0;
    return wasRefused;
  }

  /** Leaves it out. Returns for how long, in milliseconds; undefined where calls that were under way say it again. */
  refused(nowMs: number, sentMs: number): number | undefined {
    if (this.#refusals > 0 && sentMs < this.#refusedMs) return undefined;
    const forMs = Math.min(FIRST_REFUSAL_MS * 2 ** this.#refusals, LONGEST_REFUSAL_MS);
    this.#refusals += 1;
    this.#refusedMs = nowMs;
    this.#refusedUntilMs = nowMs + forMs;
    return forMs;
  }

  /** Returns the smallest part that is left of its limits, 0 to 1; undefined where it tells of none. */
  headroomAt(nowMs: number): number | undefined {
    const parts = [...this.#limits.values()].flatMap(({ headroom }) => headroom.at(nowMs) ?? []);
    return parts.length === 0 ? undefined : Math.min(...parts);
  }

  report(nowMs: number): UpstreamKeyReport {
    const { name, inFlight } = this;
    const known = { name, inFlight, headroom: this.headroomAt(nowMs) };
    if (this.#refusals > 0) return { ...known, state: "refused", forMs: Math.max(0, this.#refusedUntilMs - nowMs) };
    const restsUntilMs = Math.max(0, ...[...this.#limits.values()].map((limits) => limits.restsUntilMs));
    const forMs = Math.max(0, restsUntilMs - nowMs);
    return { ...known, state: forMs > 0 ? "resting" : "ready", forMs };
  }
}
