import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { ResponseCacheQuery, ResponseCacheStore } from "../ports.ts";

/** Bounds of looking for kept answers. */
interface ResponseCacheLimits {
  /** The time that a request waits for the store. */
  readonly waitMs: number;
  /** The lookups at once; further requests are answered without one. */
  readonly atOnce: number;
  /** The pause of lookups after the store was late, or failed. */
  readonly restMs: number;
}

const LIMITS: ResponseCacheLimits = { waitMs: 100, atOnce: 8, restMs: 1000 };

/**
 * Looks for kept answers, and never holds up a request for long: where the store is slow, it is answered as if there
 * were none.
 */
export class ResponseCache {
  readonly #store: ResponseCacheStore;
  readonly #limits: ResponseCacheLimits;
  #looking = 0;
  #restsUntilMs = 0;

  constructor(store: ResponseCacheStore, limits: ResponseCacheLimits = LIMITS) {
    this.#store = store;
    this.#limits = limits;
  }

  /** Finds the answer that was kept last; undefined where there is none, or none in time. Never rejects. */
  async find(query: ResponseCacheQuery): Promise<GenerateResponse | undefined> {
    const { waitMs, atOnce, restMs } = this.#limits;
    if (this.#looking >= atOnce || performance.now() < this.#restsUntilMs) return undefined;
    this.#looking += 1;
    const rest = (): undefined => {
      this.#restsUntilMs = performance.now() + restMs;
      return undefined;
    };
    const found = this.#store
      .find(query)
      .catch(rest)
      .finally(() => {
        this.#looking -= 1;
      });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(rest()), waitMs);
    });
    return await Promise.race([found, late]).finally(() => clearTimeout(timer));
  }
}
