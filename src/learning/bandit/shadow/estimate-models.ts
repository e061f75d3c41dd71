import type { WorkloadState } from "../workload-state.ts";
import { countIn, mixGoods, sumIn } from "./count-evidence.ts";
import type { Evidence } from "./evidence.ts";
import type { GradedAnswers } from "./judge-record.ts";

/** The factor on the doubt about a judge's favours: the model that is best by grades is likely one that it favours. */
const FAVOUR_DOUBT = 1.25;
/** Observations that base's advantage is drawn to nothing by. */
const BASE_SHRINKAGE = 4;
/** The spread of models' advantages before any is known, and the models that this counts for. */
const PRIOR_SPREAD = 0.2;
const PRIOR_MODELS = 3;
/** The mean advantage before any is known, which is never above 0, and what it counts for. */
const PRIOR_MEAN = -0.025;
const PRIOR_PRECISION = 100;
const ROUNDS = 30;

/** The observations of a model: their mean advantage over the levels of families, and its variance. */
interface Observed {
  readonly mean: number;
  readonly variance: number;
}

/**
 * Estimates by how much each model is better than the level of a family, with all doubt that there is about it: rewards
 * and grades, the judge's scale, and its favours. The spread of the models is learned with them: of many that differ
 * little the luckiest is believed little.
 */
export function estimateModels(state: WorkloadState, graded: readonly GradedAnswers[]): void {
  const { evidence, base, places } = state;
  const { effects, effectVariances, rewardVariance } = evidence;
  const observed = observeModels(state, graded);
  const ofBase = observed[base] ?? { mean: 0, variance: Number.POSITIVE_INFINITY };
  const count = (evidence.counts[base] ?? 0) + (state.armPriorWeights[base] ?? 0);
  const effect = (ofBase.mean * count) / (count + BASE_SHRINKAGE);
  effects[base] = effect;
  effectVariances[base] = 1 / (1 / ofBase.variance + BASE_SHRINKAGE / rewardVariance);
  const others = observed.flatMap(({ mean, variance }, arm) =>
    arm === base || places[arm] !== undefined ? [] : [{ arm, mean: mean - effect, variance }],
  );
  let spread = 0.01;
  for (let round = 0; round < ROUNDS; round++) {
    const center = getCenter(others, spread);
    let squares = PRIOR_MODELS * PRIOR_SPREAD ** 2;
    for (const { arm, mean, variance } of others) {
      const left = 1 / (1 / spread + 1 / variance);
      const above = left * (center / spread + mean / variance);
      effects[arm] = effect + above;
      effectVariances[arm] = left;
      squares += (above - center) ** 2 + left;
    }
    spread = squares / (PRIOR_MODELS + others.length);
  }
}

function getCenter(others: readonly Observed[], spread: number): number {
  let [sum, precision] = [PRIOR_MEAN * PRIOR_PRECISION, PRIOR_PRECISION];
  for (const { mean, variance } of others) {
    sum += mean / (variance + spread);
    precision += 1 / (variance + spread);
  }
  return Math.min(0, sum / precision);
}

/** Sums up the observations of each model. */
function observeModels(state: WorkloadState, graded: readonly GradedAnswers[]): Observed[] {
  const { evidence, base, armPriorWeights, armPriorSums } = state;
  const { scale, biases, biasVariances, rewardVariance, counts, gradedCounts } = evidence;
  const shares = graded.map((_, arm) => {
    const all = (counts[arm] ?? 0) + (armPriorWeights[arm] ?? 0);
    return all === 0 ? 0 : (gradedCounts[arm] ?? 0) / all;
  });
  const saysOf = (arm: number) => (shares[arm] ?? 0) * gradeAbove(evidence, graded[arm]);
  return graded.map((_, arm) => {
    const own = counts[arm] ?? 0;
    const all = own + (armPriorWeights[arm] ?? 0);
    evidence.means[arm] = own === 0 ? 0 : sumAbove(state, arm) / own;
    if (all === 0) return { mean: 0, variance: Number.POSITIVE_INFINITY };
    const share = shares[arm] ?? 0;
    const sum = own * (evidence.means[arm] ?? 0) + (armPriorSums[arm] ?? 0);
    const mean = sum / all - share * (biases[arm] ?? 0);
    const variance = rewardVariance / all + FAVOUR_DOUBT * share ** 2 * (biasVariances[arm] ?? 0);
    if (arm === base) return { mean, variance };
    const apart = share - (shares[base] ?? 0);
    // An error of the judge's slope, and of its level, is one of every model that its grades speak of.
    const ofSlope = scale.slopeDoubt * (saysOf(arm) - saysOf(base)) ** 2;
    const ofLevel = (apart ** 2 * scale.rewardPerGood ** 2 * scale.noise) / (scale.answers + 2);
    return { mean, variance: variance + ofSlope + ofLevel };
  });
}

/** Returns what the grades of a model say that it earns above the answers that its judge was measured by. */
function gradeAbove({ alone, both }: Evidence, graded: GradedAnswers | undefined): number {
  if (graded === undefined) return 0;
  const { count, good, bothCount, bothGood, secondGood } = graded;
  const kinds = [
    { ...alone, count: count - bothCount, good: good - bothGood },
    { ...both, count: bothCount, good: mixGoods(both, bothGood, secondGood) },
  ];
  let [sum, weights] = [0, 0];
  for (const { scale, weight, ...of } of kinds) {
    sum += weight * scale.rewardPerGood * (of.good - of.count * scale.good);
    weights += weight * of.count;
  }
  return weights === 0 ? 0 : sum / weights;
}

function sumAbove(state: WorkloadState, arm: number): number {
  let sum = 0;
  for (let family = 0; family < state.families.size; family++) {
    const cell = family * state.arms.length + arm;
    sum += sumIn(state, cell) - countIn(state, cell) * (state.evidence.levels[family] ?? 0);
  }
  return sum;
}
