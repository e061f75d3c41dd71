/** Counts of answers by size: bucket n has those of up to 2^n tokens. */
type Sizes = Uint32Array;

const BUCKETS = 32;
/** Answers after which older ones count half. */
const HALF_LIFE = 1000;
const MOST_WORKLOADS = 1000;
/** The part of the answers that are no longer than usual. */
const PART = 0.95;

/** Remembers how long the answers of workloads usually are. */
export class UsualAnswers {
  /** In the order in which they were last used. */
  readonly #workloads = new Map<string, Sizes>();

  /** Returns the tokens that 95% of a workload's answers do not exceed, as a power of two; 0 if none came. */
  usual(workload: string): number {
    const sizes = this.#workloads.get(workload);
    if (sizes === undefined) return 0;
    let answers = 0;
    for (const count of sizes) answers += count;
    let rest = answers * (1 - PART);
    let bucket = BUCKETS - 1;
    for (; bucket > 0; bucket -= 1) {
      rest -= sizes[bucket] ?? 0;
      if (rest < 0) break;
    }
    return 2 ** bucket;
  }

  /** An answer came. */
  add(workload: string, tokens: number): void {
    const sizes = this.#workloads.get(workload) ?? new Uint32Array(BUCKETS);
    this.#workloads.delete(workload);
    this.#workloads.set(workload, sizes);
    const bucket = Math.min(BUCKETS - 1, Math.ceil(Math.log2(Math.max(1, tokens))));
    sizes[bucket] = (sizes[bucket] ?? 0) + 1;
    if ((sizes[bucket] ?? 0) >= HALF_LIFE) for (const [at, count] of sizes.entries()) sizes[at] = count >> 1;
    const [oldest] = this.#workloads.keys();
    if (this.#workloads.size > MOST_WORKLOADS && oldest !== undefined) this.#workloads.delete(oldest);
  }
}
