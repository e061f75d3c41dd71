import type { WorkloadState } from "../workload-state.ts";
import { isComplaintsOnly } from "./feedback-rate.ts";
import type { JudgeScale } from "./judge-scale.ts";

/** Returns the sum of rewards that grades stand for. */
export function rewardOf({ reward, good, rewardPerGood }: JudgeScale, count: number, goods: number): number {
  return reward * count + rewardPerGood * (goods - good * count);
}

/** Returns the observations of a family and an arm: people's rewards and verdicts, and grades by their weight. */
export function countIn(state: WorkloadState, cell: number): number {
  const people = isComplaintsOnly(state) ? 0 : (state.counts[cell] ?? 0) + (state.grades.verdictCounts[cell] ?? 0);
  return people + state.evidence.gradeWeight * (state.grades.counts[cell] ?? 0);
}

/** Returns the sum of their rewards. */
export function sumIn(state: WorkloadState, cell: number): number {
  const people = isComplaintsOnly(state) ? 0 : (state.sums[cell] ?? 0) + (state.grades.verdictSums[cell] ?? 0);
  const { gradeWeight, scale } = state.evidence;
  if (gradeWeight === 0) return people;
  return people + gradeWeight * rewardOf(scale, state.grades.counts[cell] ?? 0, state.grades.goods[cell] ?? 0);
}
