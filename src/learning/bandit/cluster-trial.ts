import { meanReward } from "./estimates.ts";
import { learn } from "./learn.ts";
import type { AnswerGrade } from "./shadow/judge-record.ts";
import { restoreSnapshot, takeSnapshot, type WorkloadSnapshot } from "./snapshot.ts";
import { WorkloadState } from "./workload-state.ts";

/**
 * Chance that clusters win which predict no better, over all trials of a family and all moments at which somebody
 * looks.
 */
const FALSE_WINS = 0.05;
/** Stakes of the bets, each with an equal part of the wealth: small ones win slowly where little is to be won. */
const STAKES = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 15 / 16] as const;
/** Rewards and grades after which clusters that have not won are given up. */
const MOST_REWARDS = 5000;
/** Rewards of an arm, or its grades, from which on is bet on them: what is predicted before is not its own. */
const LEAST_REWARDS = 20;
/** Grades of the whole family that the share of good ones in a cluster is drawn to. */
const GRADES_OF_FAMILY = 8;

/** The outcome of a trial. */
type TrialOutcome = "open" | "won" | "lost";

/** A trial as plain JSON. */
export interface TrialSnapshot {
  readonly wealths: readonly number[];
  readonly policy: WorkloadSnapshot;
}

/**
 * Tries whether feedback and grades are predicted better by the clusters of a family than by the family. Before each
 * reward is learned it is predicted twice: by what the model earned in the family, and by what the policy would expect
 * if clusters were families; a grade by the shares of good ones, since a judge may be stricter than people are. Money
 * is bet that the second is nearer, in squares. Where clusters predict no better, what was bet cannot be expected to
 * grow, so it reaches 1 / a with a chance of at most a, whenever somebody looks (Ville's inequality). The trials of a
 * family have chances of 1/2, 1/4, 1/8 and so on of `FALSE_WINS`, which is that of all of them.
 */
export class ClusterTrial {
  /** The policy's state if clusters were families. */
  readonly state: WorkloadState;
  readonly #wealths: number[];
  readonly #aim: number;

  /** `tries` counts the trials of the family, this one included. */
  private constructor(state: WorkloadState, tries: number, wealths: readonly number[]) {
    this.state = state;
    this.#wealths = STAKES.map((_, at) => wealths[at] ?? 1);
    this.#aim = 2 ** tries / FALSE_WINS;
  }

  static begin(arms: readonly string[], base: string, tries: number): ClusterTrial {
    return new ClusterTrial(new WorkloadState({ arms, base, feedback: "complete" }), tries, []);
  }

  /** Throws a SnapshotError if it cannot be read. */
  static restore({ policy, wealths }: TrialSnapshot, tries: number): ClusterTrial {
    return new ClusterTrial(restoreSnapshot(policy), tries, wealths);
  }

  toSnapshot(): TrialSnapshot {
    return { wealths: this.#wealths, policy: takeSnapshot(this.state) };
  }

  /** Returns the wealth of the bet, as a multiple of the stake. */
  get wealth(): number {
    return this.#wealths.reduce((sum, wealth) => sum + wealth, 0) / STAKES.length;
  }

  /** Returns the rewards and grades that it rests on. */
  get events(): number {
    return this.state.rewards + this.state.grades.counts.reduce((sum, count) => sum + count, 0);
  }

  get outcome(): TrialOutcome {
    if (this.wealth >= this.#aim) return "won";
    return this.events >= MOST_REWARDS ? "lost" : "open";
  }

  served(cluster: string, arm: number): void {
    learn(this.state, { kind: "served", family: cluster, arm });
  }

  /** Bets on a reward, and learns it; `predicted` is what was expected of it without clusters. */
  rewarded(cluster: string, { arm, reward, weight = 1 }: Reward, predicted: number): void {
    const { state } = this;
    const family = state.families.find(cluster);
    if (family !== undefined && (state.armCounts[arm] ?? 0) >= LEAST_REWARDS) {
      this.#bet(weight * ((reward - predicted) ** 2 - (reward - meanReward(state, family, arm)) ** 2));
    }
    learn(state, { kind: "rewarded", family: cluster, arm, reward, weight });
  }

  /** Bets on a grade, and learns it; `predicted` is the share of good ones that was expected without clusters. */
  graded(cluster: string, grade: Grade, predicted: number): void {
    const { state } = this;
    const { arm, isGood } = grade;
    const { counts, goods } = state.grades;
    const family = state.families.find(cluster);
    if (family !== undefined && getGrades(state, arm) >= LEAST_REWARDS) {
      const cell = family * state.arms.length + arm;
      const share = ((goods[cell] ?? 0) + GRADES_OF_FAMILY * predicted) / ((counts[cell] ?? 0) + GRADES_OF_FAMILY);
      this.#bet((Number(isGood) - predicted) ** 2 - (Number(isGood) - share) ** 2);
    }
    learn(state, { kind: "graded", family: cluster, ...grade });
  }

  #bet(nearer: number): void {
    for (const [at, stake] of STAKES.entries()) {
      this.#wealths[at] = (this.#wealths[at] ?? 0) * (1 + stake * nearer);
    }
  }
}

/** Returns the grades of an arm in all families. */
function getGrades({ grades, arms }: WorkloadState, arm: number): number {
  let sum = 0;
  for (let cell = arm; cell < grades.counts.length; cell += arms.length) sum += grades.counts[cell] ?? 0;
  return sum;
}

/** A judge's grade of an answer. */
export interface Grade extends AnswerGrade {
  readonly arm: number;
}

/** A reward, and how much it counts. */
export interface Reward {
  readonly arm: number;
  readonly reward: number;
  readonly weight?: number;
}
