import { Decision, decide } from "../../../src/learning/bandit/decide.ts";
import { UNSEEN } from "../../../src/learning/bandit/estimates.ts";
import { FamilySplits } from "../../../src/learning/bandit/family-splits.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import type { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import type { MersenneTwister } from "./mersenne-twister.ts";
import { type Answer, answerOf, type ReplaySet } from "./replay-set.ts";
import type { SecondAnswer } from "./second-answers.ts";
import type { ReplayUnit, SessionStream } from "./sessions.ts";
import type { ShadowPlay } from "./shadow-play.ts";

export interface StreamOptions extends SessionStream {
  /** The unit of decisions and of feedback: each request of a session, or all of them. */
  readonly unit: ReplayUnit;
  /** Returns the name of a row's family. */
  readonly familyNameOf: (row: number) => string;
  /** Trials in the shadow; none if absent. */
  readonly shadow?: ShadowPlay | undefined;
  /** Steps until feedback arrives. */
  readonly delay: number;
  /** Returns the reward that users give an answer; undefined if they say nothing. `dice` is from 0 to below 1. */
  readonly feedbackOn: (model: number, score: number, dice: number) => number | undefined;
  /** Step from which on the models' order is mirrored: the best is now as the worst was. */
  readonly driftAt: number;
  /** The models from the worst to the best. */
  readonly ranked: readonly number[];
  readonly random: MersenneTwister;
  /** The accuracy of choosing the better of two answers where several are asked for, and its source of chance. */
  readonly choosing?: { readonly accuracy: number; readonly random: MersenneTwister } | undefined;
  /** The model of a further answer of the same model; no model is asked twice if absent. */
  readonly second?: SecondAnswer | undefined;
  /** Collects what each decision took, if given. */
  readonly decisionMicros?: Float64Array;
}

/** Per step: the score and the price of who answered, and of base. */
export interface StreamResult {
  readonly arms: Int32Array;
  /** Answers that were asked for. */
  readonly answers: Int32Array;
  readonly scores: Float64Array;
  readonly baseScores: Float64Array;
  readonly costs: Float64Array;
  readonly baseCosts: Float64Array;
  /** The answers of shadow trials and what they cost, and the grades that were asked for. */
  readonly trials: { shadowCalls: number; judgeCalls: number; cost: number };
}

/** Has the policy choose a model for row after row, and tells it no more than the score of the model that it chose. */
export function runStream(set: ReplaySet, state: WorkloadState, options: StreamOptions): StreamResult {
  const { rows, firsts, lasts, random, delay } = options;
  const steps = rows.length;
  const result = createResult(steps);
  const decision = new Decision(state.arms.length);
  const mayTwice = options.second !== undefined;
  const eligible = Uint8Array.from(state.places, (places) =>
    Number(places === undefined || mayTwice || isOnce(places)),
  );
  const rewards = new Map<number, number>();
  const answering = mirrors(options.ranked);
  const familySplits = new FamilySplits(state);
  const tell = (last: number): void => {
    const value = rewards.get(last);
    if (value === undefined) return;
    rewards.delete(last);
    const first = firsts[last] ?? last;
    // One answer of a session is graded against its feedback.
    const family = set.familyOf[rows[first] ?? 0] ?? 0;
    const graded = { arm: result.arms[first] ?? 0, family, score: result.scores[first] ?? 0 };
    options.shadow?.check(state, { ...graded, reward: value });
    for (let step = first; step <= (options.unit === "session" ? first : last); step++) {
      const name = options.familyNameOf(rows[step] ?? 0);
      const reward = { arm: result.arms[step] ?? 0, reward: value };
      familySplits.rewarded(name, reward);
      learn(state, { kind: "rewarded", family: familySplits.familyOf(name), ...reward });
    }
  };
  for (let step = 0; step < steps; step++) {
    const row = rows[step] ?? 0;
    const name = options.familyNameOf(row);
    const family = familySplits.familyOf(name);
    if (options.unit === "request" || firsts[step] === step) {
      const seed = random.bits();
      const startedAt = options.decisionMicros === undefined ? 0 : performance.now();
      decide(state, { family: state.families.find(family) ?? UNSEEN, eligible, seed }, decision);
      if (options.decisionMicros !== undefined) options.decisionMicros[step] = (performance.now() - startedAt) * 1000;
    }
    const { arm } = decision;
    const hasDrifted = step >= options.driftAt;
    const answer = (model: number): Answer => answerOf(set, row, hasDrifted ? (answering[model] ?? model) : model);
    const second = (model: number) => options.second?.(row, hasDrifted ? (answering[model] ?? model) : model);
    const asked = state.places[arm]?.map((place) => decision.ranked[place] ?? 0) ?? [arm];
    const given = asked.map((model, at) => {
      const first = answer(model);
      return asked.indexOf(model) === at ? first : { ...first, score: second(model) ?? first.score };
    });
    const { score, price } = bestOf(given, options.choosing);
    const ofBase = answer(state.base);
    result.arms[step] = arm;
    result.answers[step] = given.length;
    result.scores[step] = score;
    result.baseScores[step] = ofBase.score;
    result.costs[step] = price ?? 0;
    result.baseCosts[step] = ofBase.price ?? 0;
    familySplits.served(name, arm);
    const isContinued = options.unit === "session" && firsts[step] !== step;
    learn(state, { kind: "served", family, arm, price, isContinued });
    const ofRow = set.familyOf[row] ?? 0;
    options.shadow?.try(state, { name, familySplits, decision, family: ofRow, score, answer });
    if (lasts[step] === step) {
      const value = options.feedbackOn(arm, meanOf(result.scores, firsts[step] ?? step, step), random.uniform());
      if (value === undefined) options.shadow?.passSilent(state, { arm, family: ofRow, score });
      else rewards.set(step, value);
    }
    if (step >= delay) tell(step - delay);
  }
  if (options.shadow !== undefined) Object.assign(result.trials, options.shadow.trials);
  return result;
}

function createResult(steps: number): StreamResult {
  return {
    arms: new Int32Array(steps),
    answers: new Int32Array(steps).fill(1),
    scores: new Float64Array(steps),
    baseScores: new Float64Array(steps),
    costs: new Float64Array(steps),
    baseCosts: new Float64Array(steps),
    trials: { shadowCalls: 0, judgeCalls: 0, cost: 0 },
  };
}

function meanOf(values: Float64Array, first: number, last: number): number {
  let sum = 0;
  for (let at = first; at <= last; at++) sum += values[at] ?? 0;
  return sum / (last - first + 1);
}

/** Rows have one answer of each model. */
function isOnce(places: readonly number[]): boolean {
  return new Set(places).size === places.length;
}

/** One against the next, of which the better is chosen as often as is said; all are paid for. */
function bestOf(answers: readonly Answer[], choosing: StreamOptions["choosing"]): Answer {
  return answers.reduce((best, next) => {
    const [worse, better] = best.score < next.score ? [best, next] : [next, best];
    const isRight =
      worse.score === better.score || choosing === undefined || choosing.random.uniform() < choosing.accuracy;
    const price = best.price === undefined ? undefined : best.price + (next.price ?? 0);
    return { score: (isRight ? better : worse).score, price };
  });
}

/** Returns the model that each one answers as once the order is mirrored. */
function mirrors(ranked: readonly number[]): Int32Array {
  const answering = new Int32Array(ranked.length);
  for (const [place, model] of ranked.entries()) answering[model] = ranked[ranked.length - 1 - place] ?? model;
  return answering;
}
