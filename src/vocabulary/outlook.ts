import { formatUsd } from "./money.ts";

/** The expected effect of the mode `on` on a workload, against base alone. */
export interface Outlook {
  /** The change of the mean reward as a part of base's, with its interval of 95%. */
  readonly gain: number;
  readonly low: number;
  readonly high: number;
  /** The cost as a multiple of base's. */
  readonly price: number;
  /** Rewards that this rests on. */
  readonly rewards: number;
}

/** The change from which on answers are called better, or worse. */
const NOTICED = 0.005;

/** Returns a heading for outlooks: those of models that are sought for their price promise no better answers. */
export function titleOutlooks(outlooks: readonly Pick<Outlook, "gain">[]): string {
  const better = outlooks.filter(({ gain }) => gain >= NOTICED).length;
  const effects = [...(better > 0 ? ["answer better"] : []), ...(better < outlooks.length ? ["cost less"] : [])];
  return `Mode on would ${effects.join(" or ")}`;
}

/** Describes an outlook: "12% better, 8 to 16, at x0.80 of the price". */
export function describeOutlook({ gain, low, high, price }: Outlook): string {
  const [of, from, to] = [gain, low, high].map((part) => Math.round(part * 100));
  const better = gain < NOTICED ? "as well" : `${of}% better`;
  return `${better}, ${from} to ${to}, at x${price.toFixed(2)} of the price`;
}

/** The calls of a workload in a time, and what they cost. */
export interface Spent {
  readonly calls: number;
  readonly routedCalls: number;
  /** Null where no cost is known. */
  readonly costNanos: number | null;
  /** The cost of plain calls of base. */
  readonly baseCostNanos: number | null;
  /** The cost of shadow trials; null where there were none with a price. */
  readonly trialNanos: number | null;
  /** Answers that shadow trials asked for, and further answers that the judge graded. */
  readonly trials: number;
  readonly checks: number;
}

/** Describes what a workload earned and saved, with the interval of the estimate, and what its trials cost. */
export function describeEarned(effect: Outlook | null, spent: Spent): string {
  const { calls, routedCalls, costNanos, baseCostNanos, trialNanos } = spent;
  const percent = (part: number) => `${Math.round(part * 100)}%`;
  const parts = [`Other models gave ${routedCalls.toLocaleString("en")} of ${calls.toLocaleString("en")} answers.`];
  if (effect !== null && routedCalls > 0) {
    const { gain, low, high } = effect;
    const range = `${percent(low)} to ${percent(high)}`;
    if (gain >= NOTICED) parts.push(`The choice is ${percent(gain)} better than base by estimate (${range}).`);
    else if (gain > -NOTICED) parts.push(`The choice is as good as base by estimate (a change of ${range}).`);
    else parts.push(`The choice is ${percent(-gain)} worse than base by estimate (a change of ${range}).`);
  }
  if (costNanos !== null && baseCostNanos !== null && routedCalls > 0) {
    const saved = baseCostNanos - costNanos;
    const difference = `${formatUsd(Math.abs(saved))} ${saved < 0 ? "more" : "saved"}`;
    parts.push(
      `Calls cost ${formatUsd(costNanos)}, and base would have cost ${formatUsd(baseCostNanos)}: ${difference}.`,
    );
  }
  if (trialNanos !== null) parts.push(`Shadow trials cost ${formatUsd(trialNanos)} in addition.`);
  return parts.join(" ");
}
