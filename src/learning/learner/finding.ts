import type { Finding } from "../../vocabulary/finding.ts";
import { relativePrice } from "../bandit/prices.ts";
import type { WorkloadState } from "../bandit/workload-state.ts";
import { chosenIn, listShares } from "./figures.ts";

/** Standard deviations to either side of an interval of 95%. */
const REACH = 1.96;
/** Rewards and grades of a model below which nothing is told of it. */
const LEAST_EVIDENCE = 20;
/** A base that earns less is taken to earn this: of next to nothing, any gain is many times as much. */
const LEAST_BASE = 0.05;
/** Answers with feedback below which the judge's agreement with people says nothing. */
const LEAST_CHECKED = 10;

/** Returns what feedback and shadow trials have shown of each model that might answer, where it has evidence enough. */
export function listFindings(state: WorkloadState): Finding[] {
  const agreement = getAgreement(state);
  return state.arms.flatMap((model, arm) => {
    if (arm === state.base || state.places[arm] !== undefined) return [];
    const [rewards, comparisons] = [state.armCounts[arm] ?? 0, getGrades(state, arm)];
    if (rewards + comparisons < LEAST_EVIDENCE) return [];
    return [{ model, ...compare(state, arm), rewards, comparisons, agreement }];
  });
}

/** Compares a model with base, family by family: neither is judged by what it was asked. */
function compare(state: WorkloadState, arm: number): Pick<Finding, "gain" | "low" | "high" | "price"> {
  let [gain, ofBase, doubt, variance] = [0, 0, 0, 0];
  for (const { family, share } of listShares(state)) {
    const { means, doubts } = chosenIn(state, family);
    const base = means[state.base] ?? 0;
    ofBase += share * base;
    gain += share * ((means[arm] ?? 0) - base);
    // What is wrong of a model is wrong of it in all families.
    doubt += share * (doubts[arm] ?? 0);
    variance += (share * (doubts[state.base] ?? 0)) ** 2;
  }
  const whole = Math.max(LEAST_BASE, ofBase);
  const reach = REACH * Math.hypot(Math.sqrt(variance), doubt);
  const price = relativePrice(state, arm);
  return { gain: gain / whole, low: (gain - reach) / whole, high: (gain + reach) / whole, price };
}

function getGrades({ grades, arms, families }: WorkloadState, arm: number): number {
  let sum = 0;
  for (let family = 0; family < families.size; family++) sum += grades.counts[family * arms.length + arm] ?? 0;
  return sum;
}

function getAgreement({ grades }: WorkloadState): number | null {
  const { praised, praisedGood, rejected, rejectedGood } = grades.record;
  const checked = praised + rejected;
  return checked < LEAST_CHECKED ? null : (praisedGood + rejected - rejectedGood) / checked;
}
