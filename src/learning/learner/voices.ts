import { hash as hashOf } from "node:crypto";
import type { Rater } from "../../hub/raters.ts";
import { idTimeMs } from "../../lib/ids.ts";

/** Raters who are remembered, and answers with a vote that counts for less than one. */
const MOST_RATERS = 256;
const MOST_ANSWERS = 256;
/** Raters of whom it is read how many votes are usual: those with the least hashes, whoever they are. */
const SAMPLED_RATERS = 64;
/** Characters of a rater's hash. */
const HASH_CHARACTERS = 8;
/** The part of all votes from which on a key without end users speaks for those behind it. */
const TRUSTED_SHARE = 0.25;
/** The latest votes among which one rater is heard so often in full where a model may have changed. */
const LATEST = 24;
const OF_LATEST = 6;

type Counts = readonly (readonly [hash: string, votes: number])[];

/** The stored voices of a workload. */
export interface VoicesSnapshot {
  /** Votes by hashes of raters: of those who said the most, and of the sample. */
  readonly raters: Counts;
  readonly sample: Counts;
  readonly total: number;
  /** Hashes of the raters of the latest votes. */
  readonly latest: readonly string[];
  /** The weights of answers with a vote that counts for less than one, the oldest first. */
  readonly weights: readonly (readonly [answer: string, weight: number])[];
  /** When the latest answer was given that was known when a weight was forgotten, in milliseconds; absent before. */
  readonly forgottenMs?: number;
}

/** The weight of a vote. */
export interface Voice {
  /** As a reward, above 0 and up to 1. */
  readonly weight: number;
  /** The part of it that counts as a sign that a model has changed. */
  readonly driftShare: number;
}

/** The least that a vote counts for where there are no weights: against a judge, and between answers. */
export const LEAST_VOICE = 0.5;

/** The voice of who is heard in full. */
export const FULL_VOICE: Voice = { weight: 1, driftShare: 1 };

/**
 * The votes of each rater of a workload. As many votes as are usual count fully. The n-th beyond these counts for the
 * cube of the usual number by n, so that a rater counts for half as much again as the usual at most. Who is the only
 * one counts fully, as does a key that speaks for many.
 */
export class Voices {
  readonly #raters: Map<string, number>;
  readonly #sample: Map<string, number>;
  readonly #latest: string[];
  readonly #weights: Map<string, number>;
  #total: number;
  #usual: number;
  #forgottenMs: number;

  constructor(snapshot: VoicesSnapshot = { raters: [], sample: [], total: 0, latest: [], weights: [] }) {
    const { raters, sample, total, latest, weights, forgottenMs = Number.NEGATIVE_INFINITY } = snapshot;
    this.#raters = new Map(raters);
    this.#sample = new Map(sample);
    this.#latest = [...latest];
    this.#weights = new Map(weights);
    this.#total = total;
    this.#usual = getMedian(this.#sample);
    this.#forgottenMs = forgottenMs;
  }

  get hasVotes(): boolean {
    return this.#total > 0;
  }

  /** Returns what a rater's vote counts for; `isNew` counts it as one more. */
  hear({ id, isTrusted }: Rater, isNew: boolean): Voice {
    const hash = raterHash(id);
    const votes = (this.#raters.get(hash) ?? 0) + (isNew ? 1 : 0);
    if (isNew) this.#count(hash, votes);
    const isAlone = votes >= this.#total;
    if (isAlone || (isTrusted && votes >= TRUSTED_SHARE * this.#total)) return FULL_VOICE;
    const often = this.#latest.reduce((sum, other) => sum + Number(other === hash), 0);
    return {
      weight: votes <= this.#usual ? 1 : (this.#usual / votes) ** 3,
      driftShare: often <= OF_LATEST ? 1 : (OF_LATEST / often) ** 2,
    };
  }

  /** Returns the weight that the reward of an answer was learned with; undefined where it was 1, or is forgotten. */
  weightOf(inferenceId: string): number | undefined {
    return this.#weights.get(shortId(inferenceId));
  }

  /**
   * Returns what a rater's vote on an answer counts for when it is taken back: no more than it was learned with. Where
   * that is forgotten, it is what a vote of the rater counts for now.
   */
  voiceToTakeBack(rater: Rater, inferenceId: string): Voice {
    const weight = this.weightOf(inferenceId);
    if (weight !== undefined) return { weight, driftShare: 1 };
    const isForgotten = (idTimeMs(inferenceId) ?? 0) <= this.#forgottenMs;
    return isForgotten ? this.hear(rater, false) : FULL_VOICE;
  }

  /** Takes off a rater's vote on an answer. */
  forget({ id }: Rater, inferenceId: string): void {
    const hash = raterHash(id);
    const votes = (this.#raters.get(hash) ?? 0) - 1;
    if (votes >= 0) this.#total -= 1;
    for (const counts of [this.#raters, this.#sample]) {
      const left = (counts.get(hash) ?? 0) - 1;
      if (left > 0) counts.set(hash, left);
      else counts.delete(hash);
    }
    const at = this.#latest.lastIndexOf(hash);
    if (at >= 0) this.#latest.splice(at, 1);
    this.#weights.delete(shortId(inferenceId));
    this.#usual = getMedian(this.#sample);
  }

  /** Keeps the weight that the reward of an answer is learned with, for when it changes. */
  keepWeight(inferenceId: string, weight: number): void {
    const key = shortId(inferenceId);
    this.#weights.delete(key);
    if (weight >= 1) return;
    this.#weights.set(key, weight);
    if (this.#weights.size <= MOST_ANSWERS) return;
    this.#weights.delete(this.#weights.keys().next().value ?? "");
    this.#forgottenMs = Math.max(this.#forgottenMs, idTimeMs(inferenceId) ?? 0);
  }

  toSnapshot(): VoicesSnapshot {
    const [raters, sample, weights] = [[...this.#raters], [...this.#sample], [...this.#weights]];
    const known = { raters, sample, total: this.#total, latest: [...this.#latest], weights };
    return Number.isFinite(this.#forgottenMs) ? { ...known, forgottenMs: this.#forgottenMs } : known;
  }

  #count(hash: string, votes: number): void {
    this.#total += 1;
    if (this.#latest.push(hash) > LATEST) this.#latest.shift();
    // Who has said the least goes where there are too many; of several, who was heard longest ago.
    this.#raters.delete(hash);
    this.#raters.set(hash, votes);
    if (this.#raters.size > MOST_RATERS) this.#raters.delete(leastOf(this.#raters, hash));
    this.#sampleVote(hash);
  }

  /** A flood of raters is in the sample by its share of all raters, however often each of them votes. */
  #sampleVote(hash: string): void {
    const known = this.#sample.get(hash);
    if (known === undefined && this.#sample.size >= SAMPLED_RATERS) {
      const last = [...this.#sample.keys()].reduce((one, other) => (one > other ? one : other));
      if (hash > last) return;
      this.#sample.delete(last);
    }
    this.#sample.set(hash, (known ?? 0) + 1);
    this.#usual = getMedian(this.#sample);
  }
}

function raterHash(id: string): string {
  return hashOf("sha256", id, "hex").slice(0, HASH_CHARACTERS);
}

function leastOf(raters: ReadonlyMap<string, number>, kept: string): string {
  let [least, fewest] = ["", Number.POSITIVE_INFINITY];
  for (const [rater, count] of raters) {
    if (count >= fewest || rater === kept) continue;
    [least, fewest] = [rater, count];
    if (count <= 1) break;
  }
  return least;
}

/** The lower one where two are in the middle. */
function getMedian(counts: ReadonlyMap<string, number>): number {
  const sorted = [...counts.values()].sort((one, other) => one - other);
  return sorted[(sorted.length - 1) >> 1] ?? 1;
}

/** The last characters of an id are drawn at random. */
function shortId(inferenceId: string): string {
  return inferenceId.slice(-HASH_CHARACTERS);
}
