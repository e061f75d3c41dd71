import type { WorkloadState } from "../workload-state.ts";
import type { GradeScale } from "./evidence.ts";
import { isComplaintsOnly } from "./feedback-rate.ts";
import type { JudgeScale } from "./judge-scale.ts";

/** Returns the sum of rewards that grades stand for. */
export function sumRewards({ reward, good, rewardPerGood }: JudgeScale, count: number, goods: number): number {
  return reward * count + rewardPerGood * (goods - good * count);
}

/** Returns the observations of a family and an arm: people's rewards and verdicts, and grades by their weight. */
export function countIn(state: WorkloadState, cell: number): number {
  const people = isComplaintsOnly(state) ? 0 : (state.counts[cell] ?? 0) + (state.grades.verdictCounts[cell] ?? 0);
  return people + gradedCountIn(state, cell);
}

/** Returns those of them that grades are. */
export function gradedCountIn({ evidence, grades }: WorkloadState, cell: number): number {
  const both = grades.bothCounts[cell] ?? 0;
  return evidence.alone.weight * ((grades.counts[cell] ?? 0) - both) + evidence.both.weight * both;
}

/** Returns the sum of their rewards. */
export function sumIn(state: WorkloadState, cell: number): number {
  const people = isComplaintsOnly(state) ? 0 : (state.sums[cell] ?? 0) + (state.grades.verdictSums[cell] ?? 0);
  const { alone, both } = state.evidence;
  const { counts, goods, bothCounts, bothGoods, secondGoods } = state.grades;
  const [count, good] = [bothCounts[cell] ?? 0, bothGoods[cell] ?? 0];
  let sum = people;
  if (alone.weight > 0) {
    sum += alone.weight * sumRewards(alone.scale, (counts[cell] ?? 0) - count, (goods[cell] ?? 0) - good);
  }
  if (both.weight > 0 && count > 0) {
    sum += both.weight * sumRewards(both.scale, count, mixGoods(both, good, secondGoods[cell] ?? 0));
  }
  return sum;
}

/** Returns the good grades of two judges as those of one. */
export function mixGoods({ part }: Pick<GradeScale, "part">, good: number, secondGood: number): number {
  return part * good + (1 - part) * secondGood;
}
