import type { WorkloadState } from "../workload-state.ts";
import { compareComplaints } from "./compare-complaints.ts";
import type { Evidence } from "./evidence.ts";
import { isComplaintsOnly } from "./feedback-rate.ts";
import { judgeRates } from "./judge-record.ts";

/** Events after which the evidence is weighed anew, and the cells of families and arms that one event pays for. */
const SETTLE_EVERY = 20;
const CELLS_PER_EVENT = 50;
/** Rounds of the two-way model of families and arms. */
const SWEEPS = 3;
/** Observations of base's mean that a family's level is drawn to. */
const LEVEL_WEIGHT = 5;
/** The variance of the difference between a grade and a person's reward, and of a judge's bias for a model. */
const PAIR_VARIANCE = 0.8;
const BIAS_VARIANCE = 0.04;

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
  evidence.rates = judgeRates(state.grades.record, isComplaintsOnly(state), byArm);
  countArms(evidence, state);
  sweep(evidence, state);
  compareWithPeople(evidence, state);
  if (isComplaintsOnly(state)) compareComplaints(state, byArm);
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
      evidence.gradedCounts[arm] =
        (evidence.gradedCounts[arm] ?? 0) + evidence.rates.weight * (state.grades.counts[cell] ?? 0);
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

/** Estimates what the judge favours each model by. */
function compareWithPeople(evidence: Evidence, { grades }: WorkloadState): void {
  const { weight, truePositive, falsePositive } = evidence.rates;
  for (let arm = 0; arm < evidence.biases.length; arm++) {
    const pairs = grades.pairCounts[arm] ?? 0;
    const graded = ((grades.pairGoods[arm] ?? 0) - falsePositive * pairs) / (truePositive - falsePositive);
    const apart = graded - (grades.pairRewards[arm] ?? 0);
    evidence.biases[arm] = weight === 0 ? 0 : apart / (pairs + PAIR_VARIANCE / BIAS_VARIANCE);
    evidence.biasVariances[arm] = weight === 0 ? 0 : 1 / (pairs / PAIR_VARIANCE + 1 / BIAS_VARIANCE);
  }
}

/** Returns the observations of a family and an arm: people's rewards, and grades by their weight. */
export function countIn(state: WorkloadState, cell: number): number {
  const people = isComplaintsOnly(state) ? 0 : (state.counts[cell] ?? 0);
  return people + state.evidence.rates.weight * (state.grades.counts[cell] ?? 0);
}

/** Returns the sum of their rewards. */
export function sumIn(state: WorkloadState, cell: number): number {
  const people = isComplaintsOnly(state) ? 0 : (state.sums[cell] ?? 0);
  const { weight, truePositive, falsePositive } = state.evidence.rates;
  if (weight === 0) return people;
  const graded = (state.grades.goods[cell] ?? 0) - falsePositive * (state.grades.counts[cell] ?? 0);
  return people + (weight * graded) / (truePositive - falsePositive);
}
