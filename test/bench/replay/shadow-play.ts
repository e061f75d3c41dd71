import type { Decision } from "../../../src/learning/bandit/decide.ts";
import { UNSEEN } from "../../../src/learning/bandit/estimates.ts";
import type { FamilySplits } from "../../../src/learning/bandit/family-splits.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import { checkPart, chooseTrial, trialPart } from "../../../src/learning/bandit/shadow/choose-trial.ts";
import { fadedPart } from "../../../src/learning/bandit/shadow/faded-part.ts";
import { isComplaintsOnly } from "../../../src/learning/bandit/shadow/feedback-rate.ts";
import type { AnswerGrade } from "../../../src/learning/bandit/shadow/judge-record.ts";
import type { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import type { Answer } from "./replay-set.ts";

/** Shadow trials of a replay, and the judge that grades them. */
export interface ReplayedShadow {
  /** The share of requests that another model is asked as well. */
  readonly share: number;
  /** The chance that a grade is right. */
  readonly accuracy: number;
  /** The standard deviation over models of what is added to the chance of a good grade. Default 0. */
  readonly biasSd?: number;
  /** The same over models and families. Default 0. */
  readonly familyBiasSd?: number;
  /** The chance that a second judge is right, whose favours are of their own; one judge alone if absent. */
  readonly secondAccuracy?: number;
  /** Trials fade as they add up, as they do after a backfill. */
  readonly isFading?: boolean;
}

/** The share of silent answers that are graded while people only complain. */
const SILENT_SHARE = 0.05;

interface Graded {
  readonly arm: number;
  readonly score: number;
  /** The family of the row. Default 0. */
  readonly family?: number;
}

/** Plays shadow trials of a stream, with a judge that is right with a stated chance and favours models by chance. */
export class ShadowPlay {
  readonly trials = { shadowCalls: 0, judgeCalls: 0, cost: 0 };
  readonly #random: SeededRandom;
  readonly #options: ReplayedShadow;
  /** Per model: what is added to the chance of a good grade. */
  readonly #shifts: Float64Array;
  /** The same of the second judge. */
  readonly #secondShifts: Float64Array;
  /** The same by family and model, family by family. */
  readonly #familyShifts: Float64Array;

  /** Judges that grade. */
  get judges(): number {
    return this.#options.secondAccuracy === undefined ? 1 : 2;
  }

  constructor(
    options: ReplayedShadow,
    { models, families = 0, seed }: { readonly models: number; readonly families?: number; readonly seed: number },
  ) {
    this.#options = options;
    this.#random = new SeededRandom(seed ^ 0x2545f491);
    const { biasSd = 0, familyBiasSd = 0 } = options;
    this.#shifts = Float64Array.from({ length: models }, () => biasSd * this.#random.normal());
    // Of their own, so that streams with one judge stay what they were.
    const second = new SeededRandom(seed ^ 0x632be59b);
    this.#secondShifts = Float64Array.from({ length: models }, () => biasSd * second.normal());
    const cells = familyBiasSd === 0 ? 0 : families * models;
    this.#familyShifts = Float64Array.from({ length: cells }, () => familyBiasSd * this.#random.normal());
  }

  /** Asks another model for a share of the requests, and has both answers graded. */
  try(
    state: WorkloadState,
    request: {
      /** The family's name on record, which may be that of a cluster on trial. */
      readonly name: string;
      readonly familySplits: FamilySplits;
      readonly decision: Decision;
      readonly family?: number;
      readonly score: number;
      readonly answer: (model: number) => Answer;
    },
  ): void {
    const { name, familySplits, decision, family = 0, score, answer } = request;
    const fading = this.#options.isFading === true ? fadedPart(this.trials.shadowCalls) : 1;
    const share = this.#options.share * trialPart(state) * fading;
    if (this.#random.uniform() >= share || state.places[decision.arm] !== undefined) return;
    const number = state.families.find(familySplits.familyOf(name)) ?? UNSEEN;
    const { arm: served, eligible } = decision;
    const tried = chooseTrial(state, { family: number, served, eligible }, this.#random);
    if (tried === undefined) return;
    const other = answer(tried);
    this.ask(other);
    for (const graded of [
      { arm: decision.arm, family, score },
      { arm: tried, family, score: other.score },
    ]) {
      const grade = this.#grade(graded);
      familySplits.graded(name, { arm: graded.arm, ...grade });
      learn(state, { kind: "graded", family: familySplits.familyOf(name), arm: graded.arm, ...grade });
    }
  }

  /** Counts an answer that was asked for and not given to anybody. */
  ask({ price = 0 }: Answer): void {
    this.trials.shadowCalls += 1;
    this.trials.cost += price;
  }

  /** Has an answer of a trial graded, and returns the grade. */
  grade(state: WorkloadState, family: string, graded: Graded): AnswerGrade {
    const grade = this.#grade(graded);
    learn(state, { kind: "graded", family, arm: graded.arm, ...grade });
    return grade;
  }

  /** Has an answer graded that people gave a reward for. */
  check(state: WorkloadState, { reward, ...graded }: Graded & { readonly reward: number }): void {
    if (state.places[graded.arm] !== undefined || this.#random.uniform() >= checkPart(state)) return;
    learn(state, { kind: "checked", arm: graded.arm, reward, ...this.#grade(graded) });
  }

  /** Grades an answer that people gave a reward for, and leaves it to the caller to count it; nothing if none is due. */
  gradeRated(state: WorkloadState, graded: Graded): AnswerGrade | undefined {
    if (state.places[graded.arm] !== undefined || this.#random.uniform() >= checkPart(state)) return undefined;
    return this.#grade(graded);
  }

  /** Has an answer graded that people said nothing of, now and then while they only complain. */
  passSilent(state: WorkloadState, graded: Graded): void {
    if (!isComplaintsOnly(state) || state.places[graded.arm] !== undefined) return;
    if (this.#random.uniform() >= SILENT_SHARE * checkPart(state)) return;
    learn(state, { kind: "checked", arm: graded.arm, reward: undefined, ...this.#grade(graded) });
  }

  #grade({ arm, family = 0, score }: Graded): AnswerGrade {
    const { accuracy, secondAccuracy } = this.#options;
    const shift = (this.#shifts[arm] ?? 0) + (this.#familyShifts[family * this.#shifts.length + arm] ?? 0);
    const isGood = this.#draw(accuracy, score, shift);
    if (secondAccuracy === undefined) return { isGood };
    return { isGood, isSecondGood: this.#draw(secondAccuracy, score, this.#secondShifts[arm] ?? 0) };
  }

  #draw(accuracy: number, score: number, shift: number): boolean {
    this.trials.judgeCalls += 1;
    return this.#random.uniform() < accuracy * score + (1 - accuracy) * (1 - score) + shift;
  }
}
