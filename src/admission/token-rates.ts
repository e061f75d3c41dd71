import { LRUCache } from "lru-cache";
import { ErrorReason, InferenceError } from "../hub/error.ts";

/** Requests in a minute that come with feedback tokens. */
export interface TokenRateLimits {
  /** With one token, on one answer or session, and from one address. */
  readonly tokenRequests: number;
  readonly answerRequests: number;
  readonly addressRequests: number;
}

/** The sender of a request with a feedback token. */
interface TokenSender {
  /** Ids of a token, its target and an address; no address if it is not known. */
  readonly token: string;
  readonly target: string;
  readonly address: string | undefined;
}

/** Tokens, answers and addresses whose requests are counted; those that were not heard of longest go. */
const MOST_COUNTED = 10_000;
const MINUTE_MS = 60_000;
/** The part of a minute's requests that may come at once. */
const AT_ONCE = 1 / 3;

/** Bounds the requests with feedback tokens, which anybody may have. Each process counts for itself. */
export class TokenRates {
  readonly #rates: readonly (readonly [rate: Rate, of: (sender: TokenSender) => string | undefined])[];

  constructor({ tokenRequests, answerRequests, addressRequests }: TokenRateLimits) {
    this.#rates = [
      [new Rate(tokenRequests, "with one feedback token", "tokenRequests"), ({ token }) => token],
      [new Rate(answerRequests, "on one answer or session", "answerRequests"), ({ target }) => target],
      [new Rate(addressRequests, "with feedback tokens from one address", "addressRequests"), ({ address }) => address],
    ];
  }

  /** Counts a request. Throws RATE_LIMITED where there were too many. */
  count(sender: TokenSender): void {
    const now = performance.now();
    for (const [rate, of] of this.#rates) {
      const name = of(sender);
      if (name !== undefined) rate.check(name, now);
    }
    for (const [rate, of] of this.#rates) {
      const name = of(sender);
      if (name !== undefined) rate.take(name, now);
    }
  }
}

/** A bucket for each name, which a third of a minute fills. */
class Rate {
  readonly #most: number;
  readonly #atOnce: number;
  readonly #problem: string;
  readonly #buckets = new LRUCache<string, { left: number; atMs: number }>({ max: MOST_COUNTED });

  constructor(most: number, where: string, setting: string) {
    this.#most = most;
    this.#atOnce = Math.ceil(most * AT_ONCE);
    this.#problem =
      `too much feedback ${where}: at most ${most} requests a minute, in bursts of ${this.#atOnce} ` +
      `(server.limits.${setting})`;
  }

  check(name: string, now: number): void {
    const left = this.#leftOf(name, now);
    if (left >= 1) return;
    const retryAfterMs = Math.ceil(((1 - left) * MINUTE_MS) / this.#most);
    throw new InferenceError(ErrorReason.RATE_LIMITED, this.#problem, { retryAfterMs });
  }

  take(name: string, now: number): void {
    this.#buckets.set(name, { left: this.#leftOf(name, now) - 1, atMs: now });
  }

  #leftOf(name: string, now: number): number {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) return this.#atOnce;
    return Math.min(this.#atOnce, bucket.left + ((now - bucket.atMs) / MINUTE_MS) * this.#most);
  }
}
