import type { JudgeFigures } from "../../vocabulary/judge-figures.ts";
import { isComplaintsOnly } from "../bandit/shadow/feedback-rate.ts";
import type { WorkloadState } from "../bandit/workload-state.ts";

/** Returns how far the judge is right; null where nothing was graded. */
export function judgeFigures(state: WorkloadState): JudgeFigures | null {
  const { grades, evidence } = state;
  const { praised: liked, rejected: disliked, silent } = grades.record;
  if (liked + disliked + silent === 0 && grades.counts.every((count) => count === 0)) return null;
  const { alone, both, second, secondRates } = evidence;
  const isSilent = isComplaintsOnly(state);
  const ofSecond = grades.two.second;
  const hasSecond = ofSecond.praised + ofSecond.rejected + ofSecond.silent > 0;
  return {
    liked,
    disliked,
    silent: isSilent ? silent : 0,
    ...alone.rates,
    low: alone.scale.low,
    high: alone.scale.high,
    weight: alone.weight,
    second: hasSecond
      ? {
          liked: ofSecond.praised,
          disliked: ofSecond.rejected,
          silent: isSilent ? ofSecond.silent : 0,
          ...secondRates,
          low: second.low,
          high: second.high,
          weightTogether: both.weight,
          part: 1 - both.part,
        }
      : null,
  };
}
