import type { Decision } from "./decide.ts";
import { mostWorth } from "./shadow/is-promising.ts";

/** Points that the integral is taken over: the error is far below a thousandth. */
const POINTS = 256;
/** Standard deviations that it reaches to both sides. */
const REACH = 6;

/**
 * Works out the chance that the decision had of choosing an arm: (1 - control) x (explore x Thompson's chance + (1 -
 * explore) x [arm is the best]) + control x [arm is base]. It is for reports, and takes some tens of microseconds; the
 * guard does not need it.
 */
export function calculatePropensity(decision: Decision, arm = decision.arm): number {
  const { controlChance, exploreChance, best, base } = decision;
  const explored = exploreChance === 0 ? 0 : exploreChance * thompsonChance(decision, arm);
  const chosen = explored + (1 - exploreChance) * (arm === best ? 1 : 0);
  return (1 - controlChance) * chosen + controlChance * (arm === base ? 1 : 0);
}

/**
 * The chance that an arm's draw is the highest of all: the integral of its density times the others' distribution
 * functions.
 */
function thompsonChance(decision: Decision, arm: number): number {
  const { eligible, worths, doubts, exploreWidth, base } = decision;
  if (eligible[arm] !== 1) return 0;
  if (exploreWidth === 0) return arm === mostWorth(decision, base) ? 1 : 0;
  const mean = worths[arm] ?? 0;
  const deviation = exploreWidth * (doubts[arm] ?? 0);
  let sum = 0;
  for (let point = 0; point < POINTS; point++) {
    const z = -REACH + ((point + 0.5) * 2 * REACH) / POINTS;
    let product = Math.exp((-z * z) / 2);
    for (let other = 0; other < eligible.length; other++) {
      if (other === arm || eligible[other] !== 1) continue;
      product *= normalBelow((mean + deviation * z - (worths[other] ?? 0)) / (exploreWidth * (doubts[other] ?? 1)));
    }
    sum += product;
  }
  return (sum * 2 * REACH) / POINTS / Math.sqrt(2 * Math.PI);
}

/**
 * The distribution function of the standard normal distribution (Abramowitz and Stegun 7.1.26; its error is below
 * 1.5e-7).
 */
function normalBelow(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const above = (series * Math.exp(-x * x)) / 2;
  return z > 0 ? 1 - above : above;
}
