import { armsOfSeveral } from "../../../src/learning/bandit/best-of-n.ts";
import { AUTO, clusterId } from "../../../src/learning/bandit/cluster-id.ts";
import { PromptClusters } from "../../../src/learning/bandit/prompt-clusters.ts";
import {
  type Objective,
  POLICY_SETTINGS,
  POLICY_VERSION,
  type PolicySettings,
} from "../../../src/learning/bandit/settings.ts";
import { type FeedbackKind, WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { playBackfill, type ReplayedBackfill } from "./backfill-play.ts";
import { MersenneTwister, permutation } from "./mersenne-twister.ts";
import { findBase, type ReplaySet, rankedModels, rowCount } from "./replay-set.ts";
import { runStream, type StreamOptions, type StreamResult } from "./run-stream.ts";
import { createSecondAnswers } from "./second-answers.ts";
import { groupSessions, type ReplayUnit } from "./sessions.ts";
import { type ReplayedShadow, ShadowPlay } from "./shadow-play.ts";
import { type ReplayReport, summarise } from "./summarise.ts";

/** The seed of the holdout in protocol R1: the same rows are history in every run. */
const HOLDOUT_SEED = 12345;
/** The name of the one family of all prompts while their own is hidden. */
const HIDDEN = `${AUTO}hidden`;
/** Clusters that prompts of one hidden family are told apart by. */
const CLUSTERS = 16;

/** Several answers to a request, of which one is given. */
export interface ReplayedCandidates {
  /** The most that are asked for. */
  readonly most: number;
  /** The accuracy of choosing the better of two, and the accuracy that the policy is told; the same if absent. */
  readonly accuracy: number;
  readonly believed?: number | undefined;
  /**
   * By how much scores of two answers of one model to a prompt are taken to correlate, 0 to 1; no model is asked twice
   * if absent.
   */
  readonly twice?: number | undefined;
}

/** The chances that a bad and a good answer get feedback; between them they go with the score. */
interface FeedbackChances {
  readonly bad: number;
  readonly good: number;
}

export interface ReplayOptions {
  /** A model, `best` or `median`. */
  readonly base: string;
  readonly seeds: number;
  readonly firstSeed: number;
  readonly steps: number;
  /** Rows that are never asked; their prompts are known beforehand, as those of a project's history are. */
  readonly holdout: number;
  /** The policy sees prompts, and not the family that they are of. */
  readonly hideFamily?: boolean;
  /** Steps until feedback comes, and the share of requests that it comes for. */
  readonly delay?: number;
  readonly observed?: number;
  /** The chance of feedback on an answer of score 0 and on one of score 1, instead of `observed`. */
  readonly complaints?: FeedbackChances;
  /** The chance of feedback by model and score, instead of `observed`; for each seed its own. */
  readonly observedBy?: (seed: number) => (model: number, score: number) => number;
  /** Requests of a session, which get one feedback: the mean of their scores. Default 1. */
  readonly session?: number;
  /** Default "session": a session is decided on once, and its feedback counts once. */
  readonly unit?: ReplayUnit;
  /** Step from which on the models' order is mirrored. */
  readonly driftAt?: number;
  readonly objective?: Objective;
  /** What one reward more is worth, in mean prices of base; not stated if absent. */
  readonly worth?: number;
  readonly feedback?: FeedbackKind;
  /** The priors by model name: the advantage over base; or one set for each seed. */
  readonly priors?: Readonly<Record<string, number>> | ((seed: number) => Readonly<Record<string, number>>);
  readonly settings?: PolicySettings;
  /** Trials in the shadow, and the judge that grades them; none if absent. */
  readonly shadow?: ReplayedShadow | undefined;
  /** A month on base alone before the stream, and what other models are asked of it; none if absent. Needs `shadow`. */
  readonly backfill?: ReplayedBackfill | undefined;
  /** Lets the policy ask for several answers; one if absent. */
  readonly candidates?: ReplayedCandidates | undefined;
  /** Is given what happened in each stream. */
  readonly onStream?: (rows: Int32Array, result: StreamResult) => void;
  /** Is told after each seed. */
  readonly onSeed?: (done: number) => void;
}

/** An error in a replay's input, for people to correct. */
class ReplayError extends Error {
  override readonly name = "ReplayError";
}

/** Replays the policy over rows by protocol R1 (docs/replay.md), and sums up what came of it against base. */
export async function replay(set: ReplaySet, options: ReplayOptions): Promise<ReplayReport> {
  const { firstSeed, seeds, holdout } = options;
  const count = rowCount(set);
  if (count <= holdout)
    throw new ReplayError(`the file has ${count} rows, of which a holdout of ${holdout} leaves none`);
  if (options.backfill !== undefined && options.hideFamily === true)
    throw new ReplayError("a backfill is replayed with known families: leave out --hide-family");
  if (options.objective === "latency") throw new ReplayError("rows have no latency: replay another objective");
  const needsCost = options.objective === "cost" || options.objective === "balanced";
  if (needsCost && set.costs === undefined)
    throw new ReplayError(`the objective ${options.objective} needs rows with cost`);
  const base = findBase(set, options.base);
  const shuffled = permutation(count, HOLDOUT_SEED);
  const rest = shuffled.slice(holdout);
  const steps = Math.min(options.steps, rest.length);
  const nameOf = namesOfFamilies(set, options.hideFamily === true, shuffled.subarray(0, holdout));
  const ranked = rankedModels(set);
  const prices = pricesOf(set, base, shuffled.subarray(0, holdout));
  const decisionMicros = new Float64Array(steps * seeds);
  const runs: { rows: Int32Array; result: StreamResult }[] = [];
  for (let index = 0; index < seeds; index++) {
    const seed = firstSeed + index;
    const drawn = new MersenneTwister(seed).shuffle(rest.slice()).subarray(0, steps);
    const stream = groupSessions(drawn, set.familyOf, options.session ?? 1);
    const { rows } = stream;
    const priors = typeof options.priors === "function" ? options.priors(seed) : options.priors;
    const usdPerReward = ((options.worth ?? 0) * meanCost(set, base)) / NANOS_PER_USD;
    const state = stateOf(set, { ...options, base: set.models[base] ?? "", priors, prices, usdPerReward });
    const feedbackOn = feedbackOf(options, seed);
    const shadow =
      options.shadow &&
      new ShadowPlay(
        { ...options.shadow, isFading: (options.backfill?.most ?? 0) > 0 },
        { models: set.models.length, families: set.families.length, seed },
      );
    if (options.backfill !== undefined && shadow !== undefined) {
      const recorded = recordedRows(shuffled, drawn, { most: options.backfill.history, seed });
      playBackfill(set, state, options.backfill, { rows: recorded, familyNameOf: nameOf, feedbackOn, shadow, seed });
    }
    const result = runStream(set, state, {
      ...stream,
      unit: options.unit ?? "session",
      familyNameOf: nameOf,
      delay: options.delay ?? 0,
      feedbackOn,
      shadow,
      driftAt: options.driftAt ?? Number.POSITIVE_INFINITY,
      ranked,
      random: new MersenneTwister(seed ^ 0x5bd1e995),
      choosing: options.candidates && {
        accuracy: options.candidates.accuracy,
        random: new MersenneTwister(seed ^ 0x27d4eb2f),
      },
      second:
        options.candidates?.twice === undefined
          ? undefined
          : createSecondAnswers(set, options.candidates.twice, new MersenneTwister(seed ^ 0x165667b1)),
      decisionMicros: decisionMicros.subarray(index * steps, (index + 1) * steps),
    });
    runs.push({ rows, result });
    options.onStream?.(rows, result);
    options.onSeed?.(index + 1);
    // Lets the progress line, or the end of the command, run.
    await new Promise(setImmediate);
  }
  const hasDrift = options.driftAt !== undefined && options.driftAt < steps;
  const run = {
    policy: POLICY_VERSION,
    base: set.models[base] ?? "",
    models: set.models,
    rows: count,
    steps,
    seeds,
    firstSeed,
    holdout,
  };
  return summarise(set, { run, runs, base, hasDrift, decisionMicros });
}

/** Rows of a month before the stream, none of which is in it; where there are too few, they come again. */
function recordedRows(all: Int32Array, stream: Int32Array, { most, seed }: { most: number; seed: number }): Int32Array {
  const later = new Set(stream);
  const rest = new MersenneTwister(seed ^ 0x38b34ae5).shuffle(all.filter((row) => !later.has(row)));
  if (rest.length === 0) throw new ReplayError("every row is in the stream, and none is left for the history");
  return Int32Array.from({ length: most }, (_, at) => rest[at % rest.length] ?? 0);
}

/** Users say how good an answer is; where chances go by outcome, whether it is good, as often as its score says. */
function feedbackOf(options: ReplayOptions, seed: number): StreamOptions["feedbackOn"] {
  const { observed = 1, observedBy, complaints } = options;
  const chanceOf = observedBy?.(seed) ?? (() => observed);
  if (complaints === undefined) return (model, score, dice) => (dice < chanceOf(model, score) ? score : undefined);
  return (_, score, dice) => {
    const complained = complaints.bad * (1 - score);
    if (dice < complained) return 0;
    return dice < complained + complaints.good * score ? 1 : undefined;
  };
}

/** A selector is told to the policy only once it is good enough, as in the service. */
function stateOf(
  set: ReplaySet,
  options: Omit<ReplayOptions, "priors"> & Pick<WorkloadOptions, "priors" | "prices" | "usdPerReward">,
): WorkloadState {
  const { base, objective, feedback = "complete", priors, prices, usdPerReward, candidates } = options;
  const { settings = POLICY_SETTINGS } = options;
  const accuracy = candidates?.believed ?? candidates?.accuracy ?? 0;
  const bestOfN =
    candidates !== undefined && accuracy >= settings.severalAccuracy ? armsOfSeveral(candidates.most) : [];
  const arms = [...set.models, ...bestOfN];
  const state = new WorkloadState({ arms, base, objective, feedback, priors, prices, usdPerReward, settings });
  if (bestOfN.length > 0) state.accuracy = accuracy;
  return state;
}

type WorkloadOptions = ConstructorParameters<typeof WorkloadState>[0];

const NANOS_PER_USD = 1e9;

/** Returns what an answer of a model costs in the mean of all rows. */
function meanCost({ models, costs = new Float64Array(0) }: ReplaySet, model: number): number {
  let sum = 0;
  for (let at = model; at < costs.length; at += models.length) sum += costs[at] ?? 0;
  return sum / Math.max(1, costs.length / models.length);
}

/** Models cost by the history what they would by a catalog: multiples of base's price. */
function pricesOf({ models, costs }: ReplaySet, base: number, history: Int32Array): Record<string, number> {
  if (costs === undefined) return {};
  const sumOf = (model: number) => history.reduce((sum, row) => sum + (costs[row * models.length + model] ?? 0), 0);
  const ofBase = sumOf(base);
  return ofBase > 0 ? Object.fromEntries(models.map((name, model) => [name, sumOf(model) / ofBase])) : {};
}

function namesOfFamilies(set: ReplaySet, isHidden: boolean, history: Int32Array): (row: number) => string {
  if (!isHidden) return (row) => set.families[set.familyOf[row] ?? 0] ?? "";
  const clusters = PromptClusters.learn(
    Array.from(history, (row) => set.prompts[row] ?? ""),
    CLUSTERS,
  );
  const names = set.prompts.map((prompt) =>
    clusterId({ whole: HIDDEN, generation: 1, cluster: clusters.find(prompt) }),
  );
  return (row) => names[row] ?? "";
}
