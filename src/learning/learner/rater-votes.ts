import { idTimeMs } from "../../lib/ids.ts";
import { learn } from "../bandit/learn.ts";
import type { AnswerGrade } from "../bandit/shadow/judge-record.ts";
import type { WorkloadState } from "../bandit/workload-state.ts";

/** Answers with a vote that are remembered, the latest ones. */
const MOST_ANSWERS = 512;
/** Characters at the end of an id, which are drawn at random. */
const KEY_CHARACTERS = 8;

/** The reward of an answer, as it is learned with a vote that counts fully. */
interface VotedReward {
  readonly family: string;
  readonly arm: number;
  readonly reward: number;
  readonly weight: number;
}

/** The grade of an answer that a rater gave a reward for. */
interface VotedCheck extends AnswerGrade {
  readonly arm: number;
  readonly reward: number;
}

/** A vote on an answer, and what it counts for. */
interface Vote {
  readonly rater: string;
  readonly weight: number;
  readonly isEarly: boolean;
  readonly reward?: VotedReward;
  readonly check?: VotedCheck;
}

/** A vote as it is stored: with its reward, and with its check. */
type StoredVote = readonly [
  answer: string,
  rater: string,
  weight: number,
  isEarly: 0 | 1,
  reward: readonly [family: string, arm: number, reward: number, weight: number] | null,
  check: readonly [arm: number, isGood: boolean, isSecondGood: boolean | null, reward: number] | null,
];

/** The stored votes of a workload's raters. */
export interface RaterVotesSnapshot {
  /** By the ends of the ids of their answers, the oldest first. */
  readonly votes: readonly StoredVote[];
  /** When the latest answer was given whose vote was forgotten, in milliseconds; absent before. */
  readonly forgottenMs?: number;
}

/**
 * What was learned from the latest votes, by rater. What a rater's votes count for is known only once it is known how
 * much the rater says: it then holds for those votes too that were learned before.
 */
export class RaterVotes {
  readonly #votes: Map<string, Vote>;
  #forgottenMs: number;

  constructor({ votes, forgottenMs = Number.NEGATIVE_INFINITY }: RaterVotesSnapshot = { votes: [] }) {
    this.#votes = new Map(votes.map((stored) => [stored[0], fromStored(stored)]));
    this.#forgottenMs = forgottenMs;
  }

  get isEmpty(): boolean {
    return this.#votes.size === 0;
  }

  /** Returns what the vote on an answer counts for; undefined where it is not known. */
  weightOf(inferenceId: string): number | undefined {
    return this.#votes.get(keyOf(inferenceId))?.weight;
  }

  /** Returns whether the vote on an answer may have been forgotten. */
  mayHaveForgotten(inferenceId: string): boolean {
    return (idTimeMs(inferenceId) ?? 0) <= this.#forgottenMs;
  }

  /** Keeps what was learned from a vote on an answer, or from the change of one. */
  keep(inferenceId: string, vote: Omit<Vote, "check">): void {
    const key = keyOf(inferenceId);
    const before = this.#votes.get(key);
    // One that changes counts for what it did.
    this.#votes.set(key, { ...vote, ...before, ...(vote.reward !== undefined && { reward: vote.reward }) });
    if (this.#votes.size <= MOST_ANSWERS) return;
    this.#votes.delete(this.#votes.keys().next().value ?? "");
    this.#forgottenMs = Math.max(this.#forgottenMs, idTimeMs(inferenceId) ?? 0);
  }

  /** Forgets the reward of an answer, which was taken back; its vote stays. */
  dropReward(inferenceId: string): void {
    const vote = this.#votes.get(keyOf(inferenceId));
    if (vote === undefined) return;
    const { reward: _, ...rest } = vote;
    this.#votes.set(keyOf(inferenceId), rest);
  }

  /** Forgets the vote on an answer. */
  drop(inferenceId: string): void {
    this.#votes.delete(keyOf(inferenceId));
  }

  /** Learns the grade of an answer that was voted on, by what the vote counts for. */
  check(inferenceId: string | undefined, check: VotedCheck, state: WorkloadState): void {
    const key = keyOf(inferenceId ?? "");
    const vote = this.#votes.get(key);
    learn(state, { kind: "checked", ...check, weight: vote?.weight ?? 1 });
    if (vote !== undefined && vote.check === undefined) this.#votes.set(key, { ...vote, check });
  }

  /** Has the first votes of a rater count for so much, which were learned before. */
  reweigh(rater: string, weight: number, { state, familyOf }: Reweighed): void {
    for (const [key, vote] of this.#votes) {
      if (!vote.isEarly || vote.rater !== rater || vote.weight === weight) continue;
      const { reward, check } = vote;
      if (reward !== undefined) {
        const { family, arm } = reward;
        const [before, after] = [vote.weight * reward.weight, weight * reward.weight];
        learn(state, { kind: "reweighed", family: familyOf(family), arm, reward: reward.reward, before, after });
      }
      if (check !== undefined) learn(state, { kind: "checked", ...check, weight: weight - vote.weight });
      this.#votes.set(key, { ...vote, weight });
    }
  }

  toSnapshot(): RaterVotesSnapshot {
    const votes = [...this.#votes].map(toStored);
    return Number.isFinite(this.#forgottenMs) ? { votes, forgottenMs: this.#forgottenMs } : { votes };
  }
}

/** Makes votes of what earlier versions kept of them: they are taken back as they were learned. */
export function votesFromWeights(weights: readonly (readonly [answer: string, weight: number])[]): RaterVotesSnapshot {
  return { votes: weights.map(([answer, weight]) => [answer, "", weight, 0, null, null]) };
}

function toStored([answer, { rater, weight, isEarly, reward, check }]: readonly [string, Vote]): StoredVote {
  return [
    answer,
    rater,
    weight,
    isEarly ? 1 : 0,
    reward === undefined ? null : [reward.family, reward.arm, reward.reward, reward.weight],
    check === undefined ? null : [check.arm, check.isGood, check.isSecondGood ?? null, check.reward],
  ];
}

function fromStored([, rater, weight, isEarly, reward, check]: StoredVote): Vote {
  const vote = { rater, weight, isEarly: isEarly === 1 };
  const rewarded = reward && { family: reward[0], arm: reward[1], reward: reward[2], weight: reward[3] };
  const checked = check && { arm: check[0], isGood: check[1], isSecondGood: check[2] ?? undefined, reward: check[3] };
  return { ...vote, ...(rewarded && { reward: rewarded }), ...(checked && { check: checked }) };
}

/** The state that votes were learned into, and the families of today by the names on record. */
interface Reweighed {
  readonly state: WorkloadState;
  readonly familyOf: (name: string) => string;
}

function keyOf(inferenceId: string): string {
  return inferenceId.slice(-KEY_CHARACTERS);
}
