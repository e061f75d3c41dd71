import { createHash } from "node:crypto";
import type { Rater } from "../../hub/raters.ts";

/** Votes of a rater that count fully. With more, what they count for grows as the root of their number. */
const FULL_VOTES = 4;
/** Raters who are remembered, and answers with a vote that counts for less than one. */
const MOST_RATERS = 256;
const MOST_ANSWERS = 256;
/** Characters of a rater's hash. */
const HASH_CHARACTERS = 8;
/** The part of all votes from which on a key without end users speaks for those behind it. */
const KEY_SHARE = 0.25;

/** The stored voices of a workload. */
export interface VoicesSnapshot {
  /** Votes by hashes of raters; who was heard longest ago comes first. */
  readonly raters: readonly (readonly [hash: string, votes: number])[];
  readonly total: number;
  /** The weights of answers with a vote that counts for less than one, the oldest first. */
  readonly weights: readonly (readonly [answer: string, weight: number])[];
}

/**
 * The votes of each rater of a workload. A rater's influence grows as the root of their votes: m of them count for m up
 * to 4, and for 2 * sqrt(m) beyond. Who is the only one counts fully, as does a key that speaks for many.
 */
export class Voices {
  readonly #raters: Map<string, number>;
  readonly #weights: Map<string, number>;
  #total: number;

  constructor({ raters, total, weights }: VoicesSnapshot = { raters: [], total: 0, weights: [] }) {
    this.#raters = new Map(raters);
    this.#weights = new Map(weights);
    this.#total = total;
  }

  get hasVotes(): boolean {
    return this.#total > 0;
  }

  /** Returns what a rater's vote counts for, above 0 and up to 1; `isNew` counts it as one more. */
  hear({ id, isTrusted }: Rater, isNew: boolean): number {
    const hash = createHash("sha256").update(id).digest("hex").slice(0, HASH_CHARACTERS);
    const votes = (this.#raters.get(hash) ?? 0) + (isNew ? 1 : 0);
    if (isNew) this.#count(hash, votes);
    const isAlone = votes >= this.#total;
    if (votes <= FULL_VOTES || isAlone || (isTrusted && votes >= KEY_SHARE * this.#total)) return 1;
    return Math.sqrt(FULL_VOTES) * (Math.sqrt(votes) - Math.sqrt(votes - 1));
  }

  /** Returns the weight that the reward of an answer was learned with; undefined where it was 1, or is forgotten. */
  weightOf(inferenceId: string): number | undefined {
    return this.#weights.get(shortId(inferenceId));
  }

  /** Keeps the weight that the reward of an answer is learned with, for when it changes. */
  keepWeight(inferenceId: string, weight: number): void {
    const key = shortId(inferenceId);
    this.#weights.delete(key);
    if (weight >= 1) return;
    this.#weights.set(key, weight);
    if (this.#weights.size > MOST_ANSWERS) this.#weights.delete(this.#weights.keys().next().value ?? "");
  }

  toSnapshot(): VoicesSnapshot {
    return { raters: [...this.#raters], total: this.#total, weights: [...this.#weights] };
  }

  /** Who has said the least goes where there are too many; of several, who was heard longest ago. */
  #count(hash: string, votes: number): void {
    this.#total += 1;
    this.#raters.delete(hash);
    this.#raters.set(hash, votes);
    if (this.#raters.size <= MOST_RATERS) return;
    let least: string | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [rater, count] of this.#raters) {
      if (count >= fewest || rater === hash) continue;
      [least, fewest] = [rater, count];
      if (count <= 1) break;
    }
    if (least !== undefined) this.#raters.delete(least);
  }
}

/** The last characters of an id are drawn at random. */
function shortId(inferenceId: string): string {
  return inferenceId.slice(-HASH_CHARACTERS);
}
