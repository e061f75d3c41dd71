/** Buckets grow by a tenth each, from a millisecond to about half an hour. */
const GROWTH = Math.log(1.1);
const BUCKETS = 152;
/** Samples after which older ones count half. */
const HALVED_AT = 1000;
/** Fewer say nothing of a tail. */
const ENOUGH = 50;

/** The times to the first token of streamed answers: a histogram of late samples for each model. */
export class FirstTokenTimes {
  readonly #models = new Map<string, { counts: Float64Array; total: number }>();

  observe(model: string, ms: number): void {
    let times = this.#models.get(model);
    if (times === undefined) {
      times = { counts: new Float64Array(BUCKETS), total: 0 };
      this.#models.set(model, times);
    }
    const bucket = Math.min(Math.max(Math.floor(Math.log(Math.max(ms, 1)) / GROWTH), 0), BUCKETS - 1);
    times.counts[bucket] = (times.counts[bucket] ?? 0) + 1;
    times.total += 1;
    if (times.total < HALVED_AT) return;
    times.counts = times.counts.map((count) => count / 2);
    times.total /= 2;
  }

  /**
   * Returns the upper end of the bucket below which the given part of a model's samples is; undefined if there are few.
   */
  quantile(model: string, part: number): number | undefined {
    const times = this.#models.get(model);
    if (times === undefined || times.total < ENOUGH) return undefined;
    let below = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      below += times.counts[bucket] ?? 0;
      if (below >= part * times.total) return Math.exp((bucket + 1) * GROWTH);
    }
    return undefined;
  }
}
