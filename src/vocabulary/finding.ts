import { formatUsd, NANOS_PER_USD } from "./money.ts";

/** The evidence on a model that might answer in base's place. */
export interface Finding {
  readonly model: string;
  /** The change of the mean reward as a part of base's, with its interval of 95%. */
  readonly gain: number;
  readonly low: number;
  readonly high: number;
  /** The cost as a multiple of base's. */
  readonly price: number;
  /** People's rewards of this model's answers, and the judge's grades of its shadow trials. */
  readonly rewards: number;
  readonly comparisons: number;
  /** The share of answers with feedback on which the judge agrees with people; null where it graded too few. */
  readonly agreement: number | null;
}

/** The change below which a model answers as well as base, and the reach of an interval that is sure of it. */
const SAME = 0.005;
const SURE = 0.05;

/** The estimated loss of a cheaper model that is still worth telling, and the price that is cheaper. */
const TOLERANCE = 0.02;
const CHEAPER = 0.97;

/**
 * Picks the model that promises most: the best of those that are better with confidence, else the cheapest that is
 * about as good, else the best. Undefined where there is none.
 */
export function pickFinding(findings: readonly Finding[], excluded: readonly string[]): Finding | undefined {
  const byGain = findings.filter(({ model }) => !excluded.includes(model)).sort((one, other) => other.gain - one.gain);
  const cheaper = byGain.filter(({ gain, price }) => gain > -TOLERANCE && price < CHEAPER);
  const [cheapest] = cheaper.sort((one, other) => one.price - other.price);
  return byGain.find(({ low }) => low > 0) ?? cheapest ?? byGain[0];
}

/** Facts beside a finding. */
interface FindingContext {
  /** The cost of base's calls; null where that is not known. */
  readonly baseNanos: number | null;
  /** True where the model answers already: the money that it saves stands elsewhere, and nothing is a promise. */
  readonly isAnswering: boolean;
}

/**
 * Describes a finding: "haiku would answer 12% better (8% to 16%) at x0.20 of the price: 312 comparisons, the judge
 * agrees with your users in 84%."; of a model that answers already: "haiku answers 12% better".
 */
export function describeFinding(finding: Finding, { baseNanos, isAnswering }: FindingContext): string {
  const { price, rewards, comparisons, agreement } = finding;
  const counts = [
    ...(rewards > 0 || comparisons === 0 ? [count(rewards, "reward")] : []),
    ...(comparisons > 0 ? [count(comparisons, "comparison")] : []),
    ...(agreement === null ? [] : [`the judge agrees with your users in ${percent(agreement)}`]),
  ];
  const saved = isAnswering ? 0 : (savedUsd(finding, baseNanos) ?? 0);
  const money =
    Math.abs(saved) < 0.01
      ? ""
      : ` It would have ${saved > 0 ? "saved" : "cost"} ${formatUsd(Math.abs(saved) * NANOS_PER_USD)}${saved > 0 ? "" : " more"}.`;
  return `${verdict(finding, isAnswering)} at x${price.toFixed(2)} of the price: ${counts.join(", ")}.${money}`;
}

/** Returns what a model would have saved of what base's calls cost, in USD; undefined where that is not known. */
export function savedUsd({ price }: Finding, baseNanos: number | null): number | undefined {
  return baseNanos === null ? undefined : (baseNanos * (1 - price)) / NANOS_PER_USD;
}

function verdict({ model, gain, low, high }: Finding, isAnswering: boolean): string {
  const interval = `(${percent(low)} to ${percent(high)})`;
  const answers = isAnswering ? `${model} answers` : `${model} would answer`;
  if (low > 0) return `${answers} ${percent(gain)} better ${interval}`;
  if (high < 0) return `${answers} ${percent(-gain)} worse ${interval}`;
  if (low > -SURE && high < SURE) return `${answers} about as well ${interval}`;
  if (Math.abs(gain) < SAME) return `${model} may answer as well ${interval}`;
  return `${model} may answer ${percent(Math.abs(gain))} ${gain > 0 ? "better" : "worse"} ${interval}`;
}

function percent(part: number): string {
  // Without the negative zero.
  return `${Math.round(part * 100) || 0}%`;
}

function count(value: number, noun: string): string {
  const whole = Math.round(value);
  return `${whole.toLocaleString("en")} ${noun}${whole === 1 ? "" : "s"}`;
}
