import type { JudgeFigures } from "../../hub/judge-figures.ts";
import { isComplaintsOnly } from "../bandit/shadow/feedback-rate.ts";
import type { WorkloadState } from "../bandit/workload-state.ts";

/** Returns how far the judge is right; null where nothing was graded. */
export function judgeFigures(state: WorkloadState): JudgeFigures | null {
  const { grades, evidence } = state;
  const { praised: liked, rejected: disliked, silent } = grades.record;
  if (liked + disliked + silent === 0 && grades.counts.every((count) => count === 0)) return null;
  const { low, high } = evidence.scale;
  return {
    liked,
    disliked,
    silent: isComplaintsOnly(state) ? silent : 0,
    ...evidence.rates,
    low,
    high,
    weight: evidence.gradeWeight,
  };
}
