import { idTimeMs } from "../../lib/ids.ts";
import { learn } from "../bandit/learn.ts";
import type { AnswerGrade } from "../bandit/shadow/judge-record.ts";
import type { WorkloadState } from "../bandit/workload-state.ts";
import type { FeedbackEvent } from "../events.ts";
import { combineWorths, type MetricRules, type Worth, worthNow } from "./metric-settings.ts";
import type { Metrics } from "./metrics.ts";

/** Answers with a vote that are remembered, the latest ones. */
const MOST_ANSWERS = 512;
/** Characters at the end of an id, which are drawn at random. */
const KEY_CHARACTERS = 8;
/** Votes with numbers between two times that rewards are rated again: a quarter more each time, up to the most. */
const SPAN_GROWTH = 1.25;
const MOST_SPAN = MOST_ANSWERS;
/** Rewards that differ by less are the same. */
const SAME_REWARD = 1e-9;

/** A value that is part of a reward. */
export type VotedValue = Pick<FeedbackEvent, "name" | "value" | "optimize">;

/** The reward of an answer, as it is learned with a vote that counts fully. */
export interface VotedReward {
  readonly family: string;
  readonly arm: number;
  readonly reward: number;
  readonly weight: number;
  /** The values that it is made of, where one of them is a number; those of the most used metrics if there are many. */
  readonly values?: readonly VotedValue[];
  /** True if there are more values than these. */
  readonly isPart?: boolean;
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

type StoredValues = readonly (readonly [name: string, value: boolean | number, optimize: string | null])[];

/** A vote as it is stored: with its reward, and with its check. */
type StoredVote = readonly [
  answer: string,
  rater: string,
  weight: number,
  isEarly: 0 | 1,
  reward:
    | readonly [family: string, arm: number, reward: number, weight: number, values?: StoredValues, isPart?: boolean]
    | null,
  check: readonly [arm: number, isGood: boolean, isSecondGood: boolean | null, reward: number] | null,
];

/** The stored votes of a workload's raters. */
export interface RaterVotesSnapshot {
  /** By the ends of the ids of their answers, the oldest first. */
  readonly votes: readonly StoredVote[];
  /** When the latest answer was given whose vote was forgotten, in milliseconds; absent before. */
  readonly forgottenMs?: number;
  /** Votes with numbers since rewards were rated again, and when they are next; absent before the first one. */
  readonly numbers?: readonly [unrated: number, span: number];
}

/** The model of a workload that votes were learned into. */
interface VotedModel {
  readonly state: WorkloadState;
  readonly metrics: Metrics;
  readonly rules: MetricRules;
  /** Returns the family of today by a name on record. */
  familyOf(name: string): string;
}

/**
 * What was learned from the latest votes, by rater. What a rater's votes count for is known only once it is known how
 * much the rater says: it then holds for those votes too that were learned before.
 */
export class RaterVotes {
  readonly #votes: Map<string, Vote>;
  #forgottenMs: number;
  #unrated: number;
  #span: number;

  constructor(snapshot: RaterVotesSnapshot = { votes: [] }) {
    const { votes, forgottenMs = Number.NEGATIVE_INFINITY, numbers: [unrated, span] = [0, 1] } = snapshot;
    this.#votes = new Map(votes.map((stored) => [stored[0], fromStored(stored)]));
    this.#forgottenMs = forgottenMs;
    this.#unrated = unrated;
    this.#span = span;
  }

  get isEmpty(): boolean {
    return this.#votes.size === 0;
  }

  /** Returns what the vote on an answer counts for; undefined where it is not known. */
  weightOf(inferenceId: string): number | undefined {
    return this.#votes.get(getKey(inferenceId))?.weight;
  }

  /** Returns whether the vote on an answer may have been forgotten. */
  mayHaveForgotten(inferenceId: string): boolean {
    return (idTimeMs(inferenceId) ?? 0) <= this.#forgottenMs;
  }

  /** Keeps what was learned from a vote on an answer, or from the change of one. */
  keep(inferenceId: string, vote: Omit<Vote, "check">): void {
    const key = getKey(inferenceId);
    const before = this.#votes.get(key);
    if (vote.reward?.values !== undefined) this.#unrated += 1;
    // One that changes counts for what it did.
    this.#votes.set(key, { ...vote, ...before, ...(vote.reward !== undefined && { reward: vote.reward }) });
    if (this.#votes.size <= MOST_ANSWERS) return;
    this.#votes.delete(this.#votes.keys().next().value ?? "");
    this.#forgottenMs = Math.max(this.#forgottenMs, idTimeMs(inferenceId) ?? 0);
  }

  /** Forgets the reward of an answer, which was taken back; its vote stays. */
  dropReward(inferenceId: string): void {
    const vote = this.#votes.get(getKey(inferenceId));
    if (vote === undefined) return;
    const { reward: _, ...rest } = vote;
    this.#votes.set(getKey(inferenceId), rest);
  }

  /** Forgets the vote on an answer. */
  drop(inferenceId: string): void {
    this.#votes.delete(getKey(inferenceId));
  }

  /** Learns the grade of an answer that was voted on, by what the vote counts for. */
  check(inferenceId: string | undefined, check: VotedCheck, state: WorkloadState): void {
    const key = getKey(inferenceId ?? "");
    const vote = this.#votes.get(key);
    learn(state, { kind: "checked", ...check, weight: vote?.weight ?? 1 });
    if (vote !== undefined && vote.check === undefined) this.#votes.set(key, { ...vote, check });
  }

  /** Has the first votes of a rater count for so much, which were learned before; the scales of their numbers follow. */
  reweigh(rater: string, weight: number, model: VotedModel): void {
    const { state, metrics } = model;
    for (const [key, vote] of this.#votes) {
      if (!vote.isEarly || vote.rater !== rater || vote.weight === weight) continue;
      const { reward, check } = vote;
      if (reward !== undefined) {
        const { family, arm } = reward;
        const [before, after] = [vote.weight * reward.weight, weight * reward.weight];
        learn(state, { kind: "reweighed", family: model.familyOf(family), arm, reward: reward.reward, before, after });
        const isBase = arm === state.base;
        for (const value of reward.values ?? []) metrics.reweigh({ ...value, isBase }, weight - vote.weight);
      }
      if (check !== undefined) learn(state, { kind: "checked", ...check, weight: weight - vote.weight });
      this.#votes.set(key, { ...vote, weight });
    }
  }

  /**
   * Has each reward be what its values are worth by the scales of today, once in a while. What the first values were
   * worth nobody could tell, and what a hostile scale made of values is mended with it.
   */
  rerate(model: VotedModel): void {
    if (this.#unrated < this.#span) return;
    this.#unrated = 0;
    this.#span = Math.min(MOST_SPAN, SPAN_GROWTH * this.#span);
    const { state } = model;
    const worths = new Map<string, Worth | undefined>();
    for (const [key, vote] of this.#votes) {
      const { reward, check, weight } = vote;
      if (reward === undefined) continue;
      const after = rewardNow(reward, model, worths) ?? reward.reward;
      if (Math.abs(after - reward.reward) < SAME_REWARD) continue;
      const { family, arm, reward: before } = reward;
      learn(state, {
        kind: "rerated",
        family: model.familyOf(family),
        arm,
        before,
        after,
        weight: weight * reward.weight,
      });
      if (check !== undefined) {
        learn(state, { kind: "checked", ...check, weight: -weight });
        learn(state, { kind: "checked", ...check, reward: after, weight });
      }
      const rerated = { ...vote, reward: { ...reward, reward: after } };
      this.#votes.set(key, check === undefined ? rerated : { ...rerated, check: { ...check, reward: after } });
    }
  }

  toSnapshot(): RaterVotesSnapshot {
    return {
      votes: [...this.#votes].map(toStored),
      ...(Number.isFinite(this.#forgottenMs) && { forgottenMs: this.#forgottenMs }),
      ...(this.#unrated + this.#span > 1 && { numbers: [this.#unrated, this.#span] as const }),
    };
  }
}

/** Makes votes of what earlier versions kept of them: they are taken back as they were learned. */
export function votesFromWeights(weights: readonly (readonly [answer: string, weight: number])[]): RaterVotesSnapshot {
  return { votes: weights.map(([answer, weight]) => [answer, "", weight, 0, null, null]) };
}

/**
 * Returns what the values of a reward are worth by now; undefined where not all are known, or none is a number. Equal
 * values are looked up once.
 */
function rewardNow(
  { values = [], isPart = false }: VotedReward,
  model: VotedModel,
  worths: Map<string, Worth | undefined>,
): number | undefined {
  if (isPart) return undefined;
  const rated = values.flatMap((value) => {
    const key = `${value.value} ${value.optimize} ${value.name}`;
    if (!worths.has(key)) worths.set(key, worthNow(value, model));
    const worth = worths.get(key);
    return worth === undefined ? [] : [worth];
  });
  return combineWorths(rated)?.reward;
}

function toStored([answer, { rater, weight, isEarly, reward, check }]: readonly [string, Vote]): StoredVote {
  return [
    answer,
    rater,
    weight,
    isEarly ? 1 : 0,
    reward === undefined ? null : rewardToStored(reward),
    check === undefined ? null : [check.arm, check.isGood, check.isSecondGood ?? null, check.reward],
  ];
}

function rewardToStored({ family, arm, reward, weight, values, isPart }: VotedReward): StoredVote[4] {
  if (values === undefined) return [family, arm, reward, weight];
  const stored = values.map(({ name, value, optimize }) => [name, value, optimize] as const);
  return isPart === true ? [family, arm, reward, weight, stored, true] : [family, arm, reward, weight, stored];
}

function fromStored([, rater, weight, isEarly, reward, check]: StoredVote): Vote {
  const vote = { rater, weight, isEarly: isEarly === 1 };
  const checked = check && { arm: check[0], isGood: check[1], isSecondGood: check[2] ?? undefined, reward: check[3] };
  return { ...vote, ...(reward && { reward: rewardFromStored(reward) }), ...(checked && { check: checked }) };
}

function rewardFromStored([family, arm, reward, weight, values, isPart]: NonNullable<StoredVote[4]>): VotedReward {
  const rewarded = { family, arm, reward, weight };
  if (values === undefined) return rewarded;
  const voted = values.map(([name, value, optimize]) => ({ name, value, optimize }));
  return isPart === true ? { ...rewarded, values: voted, isPart } : { ...rewarded, values: voted };
}

function getKey(inferenceId: string): string {
  return inferenceId.slice(-KEY_CHARACTERS);
}
