/** A rate limit as upstreams have it: what was not used is saved up for a second. */
export class TokenBucket {
  readonly #perSecond: number;
  #left: number;
  #atMs = performance.now();

  constructor(callsPerSecond: number) {
    this.#perSecond = callsPerSecond;
    this.#left = callsPerSecond;
  }

  take(): boolean {
    const nowMs = performance.now();
    this.#left = Math.min(this.#perSecond, this.#left + ((nowMs - this.#atMs) / 1000) * this.#perSecond);
    this.#atMs = nowMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** What OpenAI's answers say of it. */
  headers(): Record<string, string> {
    return {
      "x-ratelimit-limit-requests": `${Math.floor(this.#perSecond)}`,
      "x-ratelimit-remaining-requests": `${Math.floor(this.#left)}`,
      "x-ratelimit-reset-requests": "1s",
    };
  }
}
