import { bestByFamily, type ReplaySet, rankedModels } from "./replay-set.ts";
import type { StreamResult } from "./run-stream.ts";

/** Steps after which regret is told. */
const MILESTONES = [100, 500, 1000, 5000] as const;

/** The report of a replay. Rewards are means per request over the stream and, unless stated, over the seeds. */
export interface ReplayReport {
  readonly run: {
    readonly policy: string;
    readonly base: string;
    readonly models: readonly string[];
    readonly rows: number;
    readonly steps: number;
    readonly seeds: number;
    readonly firstSeed: number;
    readonly holdout: number;
  };
  readonly meanReward: number;
  /** Reward above base's; over the first thousand steps; its standard deviation over seeds; the worst seed's. */
  readonly meanDelta: number;
  readonly deltaAt1000: number | null;
  readonly worstDeltaAt1000: number | null;
  readonly sdDelta: number;
  readonly worstDelta: number;
  /** The most that any seed was ever behind base, in rewards summed up. */
  readonly maxDeficit: number;
  /** Cost as a multiple of base's; null if the rows have no cost. */
  readonly costRatio: number | null;
  /**
   * (reward - best single model) / (best model per family - best single model); null if there is no such gap, or with
   * drift.
   */
  readonly taskGapShare: number | null;
  /** Rewards behind the best model per prompt, summed up to each step; null beyond the stream. */
  readonly regret: Readonly<Record<string, number | null>>;
  /** The share of requests that another model than base answered. */
  readonly deviatingShare: number;
  /** The share of requests that several answers were asked for. */
  readonly severalShare: number;
  /** Answers of shadow trials and grades, as a share of the requests. */
  readonly shadowCalls: number;
  readonly judgeCalls: number;
  /** The cost of answers of shadow trials, as a multiple of base's costs; null if the rows have no cost. */
  readonly trialCostRatio: number | null;
  readonly decisionMicrosP50: number;
  readonly decisionMicrosP99: number;
}

interface Runs {
  readonly run: ReplayReport["run"];
  readonly runs: readonly { readonly rows: Int32Array; readonly result: StreamResult }[];
  readonly base: number;
  readonly hasDrift: boolean;
  readonly decisionMicros: Float64Array;
}

export function summarise(set: ReplaySet, { run, runs, base, hasDrift, decisionMicros }: Runs): ReplayReport {
  const deltas = runs.map(({ result }) => mean(result.scores) - mean(result.baseScores));
  const early = runs.map(
    ({ result: { scores, baseScores } }) => mean(scores.subarray(0, 1000)) - mean(baseScores.subarray(0, 1000)),
  );
  const meanDelta = mean(deltas);
  const micros = decisionMicros.toSorted();
  return {
    run,
    meanReward: mean(runs.map(({ result }) => mean(result.scores))),
    meanDelta,
    deltaAt1000: run.steps < 1000 ? null : mean(early),
    worstDeltaAt1000: run.steps < 1000 ? null : Math.min(...early),
    sdDelta: Math.sqrt(
      deltas.reduce((sum, delta) => sum + (delta - meanDelta) ** 2, 0) / Math.max(1, deltas.length - 1),
    ),
    worstDelta: Math.min(...deltas),
    maxDeficit: Math.max(...runs.map(({ result }) => deficitOf(result))),
    costRatio:
      set.costs === undefined ? null : mean(runs.map(({ result }) => mean(result.costs) / mean(result.baseCosts))),
    taskGapShare: hasDrift ? null : taskGapShare(set, runs),
    regret: Object.fromEntries(MILESTONES.map((step) => [step, step > run.steps ? null : regretAt(set, runs, step)])),
    deviatingShare: mean(runs.map(({ result }) => result.arms.filter((arm) => arm !== base).length / run.steps)),
    severalShare: mean(runs.map(({ result }) => result.answers.filter((count) => count > 1).length / run.steps)),
    shadowCalls: mean(runs.map(({ result }) => result.trials.shadowCalls / run.steps)),
    judgeCalls: mean(runs.map(({ result }) => result.trials.judgeCalls / run.steps)),
    trialCostRatio:
      set.costs === undefined
        ? null
        : mean(runs.map(({ result }) => result.trials.cost / run.steps / mean(result.baseCosts))),
    decisionMicrosP50: micros[Math.floor(micros.length * 0.5)] ?? 0,
    decisionMicrosP99: micros[Math.floor(micros.length * 0.99)] ?? 0,
  };
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at] ?? 0;
  return sum / values.length;
}

function deficitOf({ scores, baseScores }: StreamResult): number {
  let gained = 0;
  let most = 0;
  for (let step = 0; step < scores.length; step++) {
    gained += (scores[step] ?? 0) - (baseScores[step] ?? 0);
    most = Math.max(most, -gained);
  }
  return most;
}

function taskGapShare(set: ReplaySet, runs: Runs["runs"]): number | null {
  const best = rankedModels(set).at(-1) ?? 0;
  const ofFamily = bestByFamily(set);
  let reached = 0;
  let single = 0;
  let oracle = 0;
  for (const { rows, result } of runs) {
    for (const [step, row] of rows.entries()) {
      const cell = row * set.models.length;
      reached += result.scores[step] ?? 0;
      single += set.scores[cell + best] ?? 0;
      oracle += set.scores[cell + (ofFamily[set.familyOf[row] ?? 0] ?? 0)] ?? 0;
    }
  }
  return oracle - single > 1e-9 ? (reached - single) / (oracle - single) : null;
}

function regretAt(set: ReplaySet, runs: Runs["runs"], steps: number): number {
  const count = set.models.length;
  const regrets = runs.map(({ rows, result }) => {
    let regret = 0;
    for (let step = 0; step < steps; step++) {
      const cell = (rows[step] ?? 0) * count;
      let most = 0;
      for (let model = 0; model < count; model++) most = Math.max(most, set.scores[cell + model] ?? 0);
      regret += most - (result.scores[step] ?? 0);
    }
    return regret;
  });
  return mean(regrets);
}
