import { type Interval, RunningMean } from "./running-mean.ts";

/** The model that answered a request, and the expectations before; figures by the position of a model. */
export interface Answered {
  readonly arm: number;
  /** The chance that it was this model. */
  readonly propensity: number;
  /** Returns whether a model had any chance to answer. */
  readonly isCovered: (arm: number) => boolean;
  /** Returns the expected reward of a model, before this answer's reward was known. */
  readonly expected: (arm: number) => number;
  /** The reward. */
  readonly value: number;
}

/**
 * Answers that have to speak for a course, all counted by how often it would have taken them; and what may be guessed
 * without any.
 */
const LEAST_EFFECTIVE = 30;
const MOST_UNCOVERED = 0.01;
/** Requests that somebody else than base has to have answered before it is said to be better. */
const LEAST_DEVIATIONS = 100;

/** The figures of a course. */
interface CourseFigures {
  readonly value: Interval;
  /** Against base, on the same requests. */
  readonly delta: Interval;
  /** True if it is shown to be better than base: at 95%, however often it is looked at. */
  readonly isBetter: boolean;
}

/**
 * The value of a course of action where another one was taken: expected values, corrected by the answers that both
 * would have given, each as often as it was unlikely (doubly robust: right if either the chances or the expectations
 * are). Chances are on record.
 */
export class Course {
  readonly #value = new RunningMean();
  readonly #delta = new RunningMean();
  #weights = 0;
  #squares = 0;
  #uncovered = 0;
  #deviations = 0;
  readonly #base: number;

  constructor(base: number) {
    this.#base = base;
  }

  /** Counts a request that this course would have had `arm` answer. */
  add(arm: number, answered: Answered): void {
    const value = getTerm(arm, answered);
    this.#value.add(value);
    this.#delta.add(value - getTerm(this.#base, answered));
    if (arm !== this.#base) this.#deviations += 1;
    if (!answered.isCovered(arm)) this.#uncovered += 1;
    if (arm !== answered.arm) return;
    const weight = 1 / answered.propensity;
    this.#weights += weight;
    this.#squares += weight * weight;
  }

  get count(): number {
    return this.#value.count;
  }

  /** Mean without regard to whether it may be relied on. */
  get mean(): number {
    return this.#value.mean;
  }

  /** Returns the effective number of answers; those of large weight count as few. */
  get effective(): number {
    return this.#squares === 0 ? 0 : (this.#weights * this.#weights) / this.#squares;
  }

  /** Share of the requests in which the model that it would have had answer had no chance to. */
  get uncoveredShare(): number {
    return this.count === 0 ? 0 : this.#uncovered / this.count;
  }

  get deviatingShare(): number {
    return this.count === 0 ? 0 : this.#deviations / this.count;
  }

  /** Undefined where the records cannot tell. */
  figures(): CourseFigures | undefined {
    const [value, delta] = [this.#value.interval(), this.#delta.interval()];
    if (value === undefined || delta === undefined || this.doubt !== undefined) return undefined;
    return { value, delta, isBetter: delta.low > 0 && this.#deviations >= LEAST_DEVIATIONS };
  }

  /** Why the records cannot tell; undefined if they can. */
  get doubt(): string | undefined {
    if (this.count === 0) return "no request got feedback";
    if (this.uncoveredShare > MOST_UNCOVERED) {
      return `in ${percent(this.uncoveredShare)} of the requests its model had no chance to answer`;
    }
    if (this.effective < LEAST_EFFECTIVE) {
      return `no more than ${Math.floor(this.effective)} answers speak for it, and ${LEAST_EFFECTIVE} have to`;
    }
    return undefined;
  }
}

function getTerm(arm: number, answered: Answered): number {
  const expected = answered.expected(arm);
  if (arm !== answered.arm) return expected;
  return expected + (answered.value - expected) / answered.propensity;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;
}
