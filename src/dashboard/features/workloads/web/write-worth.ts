const worths = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const steps = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: "exceptZero",
});

/** Standard deviations to either side of an interval of 95%. */
const REACH = 1.96;

/** An estimate with its interval. */
interface Estimate {
  readonly worth: number;
  readonly low: number;
  readonly high: number;
}

/** Writes a reward: 0.83. */
export function writeWorth(worth: number | null): string {
  return worth === null ? "–" : worths.format(worth);
}

/** Writes a reward with its interval: 0.83 (0.79 – 0.87). */
export function writeEstimate({ worth, low, high }: Estimate): string {
  return `${worths.format(worth)} (${worths.format(low)} – ${worths.format(high)})`;
}

/** Writes a reward with the interval of 95% that its standard deviation makes; rewards are from 0 to 1. */
export function writeWorthInterval(worth: number, doubt: number): string {
  const within = (reward: number) => Math.min(1, Math.max(0, reward));
  return writeEstimate({
    worth: within(worth),
    low: within(worth - REACH * doubt),
    high: within(worth + REACH * doubt),
  });
}

/** Writes how far ahead something is: +0.12 (+0.03 – +0.21). Rewards are from 0 to 1, so no lead is beyond 1. */
export function writeAhead({ worth, low, high }: Estimate): string {
  return `${steps.format(worth)} (${steps.format(Math.max(-1, low))} – ${steps.format(Math.min(1, high))})`;
}
