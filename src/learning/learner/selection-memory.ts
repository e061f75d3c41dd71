import { RANKED_SIGNALS, type RankedSignal } from "../../hub/candidate-signals.ts";
import type { AccuracyFigures } from "../best-of-n/accuracy.ts";
import { type Beliefs, poolBeliefs } from "../best-of-n/ranker.ts";
import { Selector, type SelectorSnapshot } from "../best-of-n/selector.ts";
import { Metrics, type MetricsSnapshot } from "./metrics.ts";

export type { AccuracyFigures };

/** The stored state of the choice among candidates. */
export interface SelectionSnapshot extends SelectorSnapshot {
  readonly metrics: MetricsSnapshot;
  /** Rewards of the workload when the selector was given up; absent where it was not. */
  readonly givenUpAt?: number;
}

/**
 * Rewards of the workload after which a selector that was given up is measured anew, at the earliest: then it is once
 * there are as many again.
 */
const LEAST_PAUSE = 1000;

/**
 * The learner's model of the choice among candidates in a workload. It has metrics of its own: feedback on the best of
 * several is no measure for what is said of one.
 */
export class SelectionMemory {
  readonly selector: Selector;
  readonly metrics: Metrics;
  #givenUpAt: number | undefined;

  private constructor(selector: Selector, metrics: Metrics, givenUpAt?: number) {
    this.selector = selector;
    this.metrics = metrics;
    this.#givenUpAt = givenUpAt;
  }

  /** Begins with what other workloads of the project have learned. */
  static begin(others: readonly Beliefs[]): SelectionMemory {
    return new SelectionMemory(Selector.begin(poolBeliefs(others)), new Metrics());
  }

  /** Goes on from what is stored; undefined where candidates were ranked by other signals then. */
  static restore({ metrics, givenUpAt, ...snapshot }: SelectionSnapshot): SelectionMemory | undefined {
    const selector = Selector.restore(snapshot);
    return selector && new SelectionMemory(selector, new Metrics(metrics), givenUpAt);
  }

  toSnapshot(): SelectionSnapshot {
    const abandoned = this.#givenUpAt === undefined ? {} : { givenUpAt: this.#givenUpAt };
    return { ...this.selector.toSnapshot(), metrics: this.metrics.toSnapshot(), ...abandoned };
  }

  /**
   * Takes note of how many rewards the workload has by now, and whether a model in it was found to be another than it
   * was. A selector that was given up is measured anew then, and where the workload has twice as many rewards as when
   * that was: trials are paid for less and less often.
   */
  reconsider(rewards: number, hasDrifted: boolean): void {
    if (this.selector.isProven || this.selector.isUndecided) {
      this.#givenUpAt = undefined;
      return;
    }
    this.#givenUpAt ??= rewards;
    if (!hasDrifted && rewards < this.#givenUpAt + Math.max(LEAST_PAUSE, this.#givenUpAt)) return;
    this.selector.measureAnew();
    this.#givenUpAt = undefined;
  }
}

/** The learned choice among candidates, for people. */
export interface SelectionFigures {
  readonly rewards: number;
  readonly accuracy: AccuracyFigures;
  readonly isProven: boolean;
  /** The weight of each signal, and its standard deviation. */
  readonly weights: readonly { readonly signal: RankedSignal; readonly weight: number; readonly doubt: number }[];
}

/** Tells what was learned; undefined where that cannot be read, since candidates were ranked by other signals then. */
export function selectionFigures(snapshot: SelectionSnapshot): SelectionFigures | undefined {
  const selector = Selector.restore(snapshot);
  if (selector === undefined) return undefined;
  const { rewards, accuracy, isProven, beliefs } = selector;
  const weights = RANKED_SIGNALS.map((signal, at) => ({
    signal,
    weight: beliefs.weights[at] ?? 0,
    doubt: Math.sqrt(beliefs.variances[at] ?? 0),
  }));
  return { rewards, accuracy, isProven, weights };
}
