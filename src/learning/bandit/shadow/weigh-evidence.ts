import type { WorkloadState } from "../workload-state.ts";
import { countIn, gradedCountIn, mixGoods, sumIn, sumRewards } from "./count-evidence.ts";
import { estimateModels } from "./estimate-models.ts";
import type { Evidence } from "./evidence.ts";
import { isComplaintsOnly } from "./feedback-rate.ts";
import { type Graded, type GradedAnswers, judgeRates } from "./judge-record.ts";
import { independentPart, type JudgeScale, measureJudge, measureTwo, RATINGS } from "./judge-scale.ts";

/** Complaints that a model's rate is drawn to base's by. */
const SHRINKAGE = 0.5;

/** The standard deviation, from model to model, of the logarithm of how many of its bad answers people complain of. */
const INCLINATION = 0.7;

/** The least share of bad answers of base, and the least multiple of it that doubt about a model is reckoned with. */
const LEAST_BAD = 0.05;

const LEAST_RATIO = 0.1;

/** The least variances of what complaints and grades say of a model. */
const LEAST_VARIANCE_OF_COMPLAINTS = 0.01;

const LEAST_VARIANCE_OF_GRADES = 0.05;

/** Events after which the evidence is weighed anew, and the cells of families and arms that one event pays for. */
const SETTLE_EVERY = 20;
const CELLS_PER_EVENT = 50;
/** Rounds of the two-way model of families and arms. */
const SWEEPS = 3;
/** Observations of base's mean that a family's level is drawn to. */
const LEVEL_WEIGHT = 5;
/** The variance of a judge's favour for a model, where rewards are thumbs and where they are ratings. */
const BIAS_VARIANCE = 0.04;
const BIAS_VARIANCE_OF_RATINGS = 0.02;
/** The correlation of two judges' favors: they like the same manners, though they are of different vendors. */
const FAVOR_CORRELATION = 0.5;
/** Rewards from which on their scatter is known. */
const LEAST_REWARDS = 20;

/** Takes note of an event, and weighs the evidence anew when there have been some. */
export function noteEvent(state: WorkloadState): void {
  state.evidence.events += 1;
  const cells = state.families.size * state.arms.length;
  if (state.evidence.events >= Math.max(SETTLE_EVERY, cells / CELLS_PER_EVENT)) weighEvidence(state);
}

/** Weighs people's rewards and grades anew. */
export function weighEvidence(state: WorkloadState): void {
  const { evidence } = state;
  evidence.events = 0;
  const byArm = state.grades.byArm();
  weighJudge(state, byArm);
  countArms(evidence, state);
  sweep(evidence, state);
  compareWithPeople(evidence, state);
  if (isComplaintsOnly(state)) compareComplaints(state, byArm);
  if (evidence.gradeWeight > 0) estimateModels(state, byArm);
}

/** Measures the judge: a grade counts as many rewards as its error lets it. */
function weighJudge(state: WorkloadState, byArm: readonly GradedAnswers[]): void {
  const { evidence, grades, base, settings } = state;
  const isSilent = isComplaintsOnly(state);
  const rates = judgeRates(grades.record, isSilent, byArm);
  const alone = { rates, scale: measureJudge(grades.record, rates, { isComplaintsOnly: isSilent }), part: 1 };
  const both = measureTwo(grades.two, isSilent, (part) => byArm.map((graded) => gradedByBoth(graded, part)));
  const { scale, part } = both.scale.isProven ? both : alone;
  const ofBase = byArm[base] && (both.scale.isProven ? gradedByBoth(byArm[base], part) : byArm[base]);
  const good = ((ofBase?.good ?? 0) + scale.good) / ((ofBase?.count ?? 0) + 1);
  const ofGrades = Math.min(0.98, Math.max(0.02, scale.reward + scale.rewardPerGood * (good - scale.good)));
  const mean = isSilent ? ofGrades : state.pooledBaseMean();
  const ofThumbs = Math.max(settings.leastVariance, mean * (1 - mean));
  const scatter = isSilent ? 1 : state.errors.dispersion(0, state.families.size, state.settings);
  evidence.rewardVariance = ofThumbs * scatter;
  evidence.areRatings = state.rewards >= LEAST_REWARDS && evidence.rewardVariance < RATINGS * mean * (1 - mean);
  const weightOf = ({ noise, rewardPerGood, isProven }: JudgeScale): number =>
    isProven ? Math.min(1, evidence.rewardVariance / (noise * rewardPerGood ** 2)) : 0;
  const ofOne = evidence.areRatings ? BIAS_VARIANCE_OF_RATINGS : BIAS_VARIANCE;
  const shared = 2 * both.part * (1 - both.part) * FAVOR_CORRELATION;
  const ofBoth = ofOne * (independentPart(both.part) + shared);
  evidence.alone = { ...alone, weight: weightOf(alone.scale), favorVariance: ofOne };
  evidence.both = { ...both, weight: weightOf(both.scale), favorVariance: ofBoth };
  evidence.second = both.second;
  evidence.secondRates = both.secondRates;
}

/** Returns the answers of a model that both judges have graded, by the grades of both as one. */
function gradedByBoth({ bothCount, bothGood, secondGood }: GradedAnswers, part: number): Graded {
  return { count: bothCount, good: mixGoods({ part }, bothGood, secondGood) };
}

function countArms(evidence: Evidence, state: WorkloadState): void {
  const arms = state.arms.length;
  const { size } = state.families;
  evidence.counts.fill(0);
  evidence.gradedCounts.fill(0);
  let baseSum = 0.5;
  for (let family = 0; family < size; family++) {
    for (let arm = 0; arm < arms; arm++) {
      const cell = family * arms + arm;
      evidence.counts[arm] = (evidence.counts[arm] ?? 0) + countIn(state, cell);
      evidence.gradedCounts[arm] = (evidence.gradedCounts[arm] ?? 0) + gradedCountIn(state, cell);
    }
    baseSum += sumIn(state, family * arms + state.base);
  }
  evidence.pooledBaseMean = baseSum / ((evidence.counts[state.base] ?? 0) + 1);
}

/** Fits levels of families and advantages of arms to each other. */
function sweep(evidence: Evidence, state: WorkloadState): void {
  const arms = state.arms.length;
  const { size } = state.families;
  evidence.levels = new Float64Array(size);
  evidence.advantages.fill(0);
  for (let round = 0; round < SWEEPS; round++) {
    for (let family = 0; family < size; family++) {
      let sum = LEVEL_WEIGHT * evidence.pooledBaseMean;
      let weight = LEVEL_WEIGHT;
      for (let arm = 0; arm < arms; arm++) {
        const cell = family * arms + arm;
        const count = countIn(state, cell);
        sum += sumIn(state, cell) - count * (evidence.advantages[arm] ?? 0);
        weight += count;
      }
      evidence.levels[family] = Math.min(0.98, Math.max(0.02, sum / weight));
    }
    for (let arm = 0; arm < arms; arm++) {
      let above = state.armPriorSums[arm] ?? 0;
      for (let family = 0; family < size; family++) {
        const cell = family * arms + arm;
        above += sumIn(state, cell) - countIn(state, cell) * (evidence.levels[family] ?? 0);
      }
      const weight = state.settings.advantageShrinkage + (state.armPriorWeights[arm] ?? 0);
      evidence.advantages[arm] = above / ((evidence.counts[arm] ?? 0) + weight);
    }
  }
}

/** Estimates what the judges favour each model by. */
function compareWithPeople(evidence: Evidence, { grades }: WorkloadState): void {
  const { alone, both, leading, gradeWeight } = evidence;
  const kinds = [
    { ...alone, pairs: grades.pairs.alone, seconds: grades.pairs.alone.goods },
    { ...both, pairs: grades.pairs.both, seconds: grades.secondPairGoods },
  ].filter(({ weight }) => weight > 0);
  for (let arm = 0; arm < evidence.biases.length; arm++) {
    let [apart, precision] = [0, 1 / leading.favorVariance];
    for (const { scale, part, pairs, seconds } of kinds) {
      const ofPair = scale.noise * scale.rewardPerGood ** 2;
      const count = pairs.counts[arm] ?? 0;
      const good = mixGoods({ part }, pairs.goods[arm] ?? 0, seconds[arm] ?? 0);
      apart += (sumRewards(scale, count, good) - (pairs.rewards[arm] ?? 0)) / ofPair;
      precision += count / ofPair;
    }
    evidence.biases[arm] = gradeWeight === 0 ? 0 : apart / precision;
    evidence.biasVariances[arm] = gradeWeight === 0 ? 0 : 1 / precision;
  }
}

/**
 * Compares grades of each model with the rate of complaints about it, where people only complain: of a good model there
 * are too few complaints to tell by their grades whether the judge favours it, but that there are few tells it. A
 * model's share of bad answers is that of base, times the rate of complaints about it for base's.
 */
function compareComplaints(state: WorkloadState, graded: readonly GradedAnswers[]): void {
  const { evidence, base, places } = state;
  const { weight, rates, part } = evidence.leading;
  const { truePositive, falsePositive } = rates;
  if (weight === 0) return;
  const isBoth = evidence.leading === evidence.both;
  const observed = graded.map((answers) => {
    const { count, good } = isBoth ? gradedByBoth(answers, part) : answers;
    const sum = (good - falsePositive * count) / (truePositive - falsePositive);
    // TPR comes out too small, so that much would be more than right.
    return { mean: Math.min(1, (weight * sum + 0.5) / (weight * count + 1)), count: weight * count };
  });
  // The judge may favour base too, of which people complain often enough to tell.
  const ofBase = (observed[base]?.mean ?? 0) - (evidence.biases[base] ?? 0);
  const badOfBase = Math.min(1, Math.max(LEAST_BAD, 1 - ofBase));
  for (const [arm, { mean, count }] of observed.entries()) {
    const answers = state.armDecisions[arm] ?? 0;
    if (arm === base || places[arm] !== undefined || count === 0 || answers === 0) continue;
    const { ratio, variance } = complaintRatio(state, arm);
    const favour = mean - (1 - badOfBase * ratio);
    const ofComplaints = (badOfBase * Math.max(ratio, LEAST_RATIO)) ** 2 * variance + LEAST_VARIANCE_OF_COMPLAINTS;
    const ofGrades = Math.max(mean * (1 - mean), LEAST_VARIANCE_OF_GRADES) / count;
    const precision = 1 / (ofComplaints + ofGrades);
    const known = 1 / (evidence.biasVariances[arm] ?? 1);
    evidence.biases[arm] = ((evidence.biases[arm] ?? 0) * known + favour * precision) / (known + precision);
    evidence.biasVariances[arm] = 1 / (known + precision);
  }
}

/** Returns how often people complain of a model for once of base, and the variance of the logarithm of that. */
function complaintRatio({ armCounts, armDecisions, base }: WorkloadState, arm: number) {
  const [ofArm, ofBase] = [armCounts[arm] ?? 0, armCounts[base] ?? 0];
  const rateOfBase = (ofBase + SHRINKAGE) / ((armDecisions[base] ?? 0) + 1);
  const ratio = (ofArm + SHRINKAGE) / ((armDecisions[arm] ?? 0) * rateOfBase + SHRINKAGE);
  return { ratio, variance: 1 / (ofArm + SHRINKAGE) + 1 / (ofBase + SHRINKAGE) + 2 * INCLINATION ** 2 };
}
