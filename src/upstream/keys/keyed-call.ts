import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { KeyRing, KeyUse } from "./key-ring.ts";
import type { UpstreamKey } from "./upstream-key.ts";

/** Keys that one call is tried by at most. */
const MOST_TRIES = 3;

/** One call, and the keys that it is sent by: one after another as long as they are refused. */
export class KeyedCall {
  readonly #ring: KeyRing;
  readonly #use: KeyUse;
  readonly #tried = new Set<UpstreamKey>();
  /** Take note of refusals with 403, which may be for what was asked: they count where another key is not refused. */
  readonly #forbidden: (() => void)[] = [];
  #limited: InferenceError | undefined;
  #key: UpstreamKey;
  #sentMs: number;
  #isUnderWay = true;

  private constructor(ring: KeyRing, use: KeyUse, key: UpstreamKey) {
    this.#ring = ring;
    this.#use = use;
    this.#key = key;
    this.#tried.add(key);
    this.#sentMs = ring.began(key);
  }

  /** Begins a call by the key that is best for it; undefined without keys. */
  static begin(ring: KeyRing | undefined, use: KeyUse | undefined): KeyedCall | undefined {
    if (ring === undefined || use === undefined) return undefined;
    const key = ring.choose(use, new Set());
    return key && new KeyedCall(ring, use, key);
  }

  /** Headers of the key that the request goes by; secrets. */
  get headers(): Readonly<Record<string, string>> {
    return this.#key.headers;
  }

  /** Takes note of an answer of success. */
  answered(headers: Readonly<Record<string, string>>): void {
    this.#ring.answered(this.#key, { model: this.#use.model, headers, sentMs: this.#sentMs });
    this.#countForbidden();
  }

  /** Takes note of a failure; returns whether the request may go by another key, which is its key from now on. */
  failed(error: InferenceError): boolean {
    this.end();
    if (!this.#isOfKey(error)) return false;
    const next = this.#tried.size < MOST_TRIES ? this.#ring.choose(this.#use, this.#tried) : undefined;
    if (next === undefined) return false;
    this.#key = next;
    this.#tried.add(next);
    this.#sentMs = this.#ring.began(next);
    this.#isUnderWay = true;
    return true;
  }

  /** Returns the failure that a caller is told: what comes to an end by itself goes before what has to be mended. */
  toTell(error: InferenceError): InferenceError {
    if (this.#limited === undefined || !OF_KEY.has(error.reason)) return error;
    const { reason, message, facts } = this.#limited;
    const freeInMs = Math.ceil(this.#ring.freeInMs(this.#use.model));
    if (freeInMs === 0 || (facts.retryAfterMs ?? 0) <= freeInMs) return this.#limited;
    return new InferenceError(reason, message, { ...facts, retryAfterMs: freeInMs });
  }

  /** The call has ended. */
  end(): void {
    if (this.#isUnderWay) this.#ring.ended(this.#key);
    this.#isUnderWay = false;
  }

  /** Takes note of a failure where it is the key's. */
  #isOfKey(error: InferenceError): boolean {
    const [key, sentMs] = [this.#key, this.#sentMs];
    const { upstreamStatus } = error.facts;
    if (!OF_KEY.has(error.reason) || upstreamStatus === undefined) {
      // A request that is found wrong was sent by a key that is taken.
      if (error.reason === ErrorReason.INVALID_REQUEST && upstreamStatus !== undefined) this.#countForbidden();
      return false;
    }
    if (error.reason === ErrorReason.RATE_LIMITED) {
      this.#limited ??= error;
      this.#ring.usedUp(key, this.#use.model, error);
      this.#countForbidden();
    } else if (upstreamStatus === 403) {
      this.#forbidden.push(() => this.#ring.refused(key, error, sentMs));
    } else {
      this.#ring.refused(key, error, sentMs);
    }
    return true;
  }

  #countForbidden(): void {
    for (const count of this.#forbidden.splice(0)) count();
  }
}

/** Failures that say something of the key that a request went by. */
const OF_KEY: ReadonlySet<ErrorReason> = new Set([
  ErrorReason.RATE_LIMITED,
  ErrorReason.QUOTA_EXCEEDED,
  ErrorReason.UPSTREAM_UNAUTHENTICATED,
]);
