import { hash as hashOf } from "node:crypto";
import type { Rater } from "../../vocabulary/raters.ts";
import { RaterVotes, type RaterVotesSnapshot, votesFromWeights } from "./rater-votes.ts";

/** Raters who are remembered. */
const MOST_RATERS = 256;
/** Raters of whom it is read how many votes are usual: those with the least hashes, whoever they are. */
const SAMPLED_RATERS = 64;
/** Characters of a rater's hash. */
const HASH_CHARACTERS = 8;
/** The power by which votes of who says more than is usual lose weight. */
const FALL = 3;
/** The first votes of a rater. */
const EARLY = 16;
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
  /** Rewards and checks of the latest votes; absent where no rater was weighed. */
  readonly votes?: RaterVotesSnapshot;
  /** Weights of answers whose vote counted for less than one, as earlier versions stored them. */
  readonly weights?: readonly (readonly [answer: string, weight: number])[];
}

/** The weight of a vote. */
export interface Voice {
  /** The hash of the rater; absent of one who is heard in full, however much that one says. */
  readonly rater?: string;
  /** As a reward, above 0 and up to 1. */
  readonly weight: number;
  /** The part of it that counts as a sign that a model has changed. */
  readonly driftShare: number;
  /** True of the first votes of a rater, which are weighed again once it is known how much the rater says. */
  readonly isEarly: boolean;
}

/** The least that a vote counts for where there are no weights: against a judge, and between answers. */
export const LEAST_VOICE = 0.5;

/** The voice of who is heard in full. */
export const FULL_VOICE: Voice = { weight: 1, driftShare: 1, isEarly: false };

/**
 * The votes of each rater of a workload. As many votes as are usual, and their root more, count fully. Of a rater who
 * says more, each vote counts for the cube of that number by n, those included that were learned before: so a flood
 * counts for less in all, the longer it lasts. Who is the only one counts fully, as does a key that speaks for many.
 */
export class Voices {
  /** Rewards and checks of the latest votes. */
  readonly votes: RaterVotes;
  readonly #raters: Map<string, number>;
  readonly #sample: Map<string, number>;
  readonly #latest: string[];
  #total: number;
  #usual: number;

  constructor(snapshot: VoicesSnapshot = { raters: [], sample: [], total: 0, latest: [] }) {
    const { raters, sample, total, latest, weights = [], votes = votesFromWeights(weights) } = snapshot;
    this.votes = new RaterVotes(votes);
    this.#raters = new Map(raters);
    this.#sample = new Map(sample);
    this.#latest = [...latest];
    this.#total = total;
    this.#usual = getMedian(this.#sample);
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
      rater: hash,
      weight: Math.min(1, (this.#most / votes) ** FALL),
      driftShare: often <= OF_LATEST ? 1 : (OF_LATEST / often) ** 2,
      isEarly: votes <= EARLY,
    };
  }

  /** Votes up to which a rater is heard in full: what is usual, and one standard deviation of a count more. */
  get #most(): number {
    return this.#usual + Math.sqrt(this.#usual);
  }

  /** Takes off a rater's vote on an answer. */
  forget({ id }: Rater): void {
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
    this.#usual = getMedian(this.#sample);
  }

  toSnapshot(): VoicesSnapshot {
    const [raters, sample] = [[...this.#raters], [...this.#sample]];
    const known = { raters, sample, total: this.#total, latest: [...this.#latest] };
    return this.votes.isEmpty ? known : { ...known, votes: this.votes.toSnapshot() };
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
