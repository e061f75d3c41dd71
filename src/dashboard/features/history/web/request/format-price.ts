import { formatCost } from "../../../../web/parts/format.ts";

const PICOS_PER_DOLLAR = 1_000_000_000_000n;

/** Writes pico-dollars as dollars, exactly: every digit that there is, and at least two behind the point. */
export function formatPicos(picos: string): string {
  const all = BigInt(picos);
  const fraction = (all % PICOS_PER_DOLLAR)
    .toString()
    .padStart(12, "0")
    .replace(/0{1,10}$/, "");
  return `$${(all / PICOS_PER_DOLLAR).toLocaleString("en-US")}.${fraction}`;
}

/** Writes the price of a token, in pico-dollars, as dollars for a million of them: $1.25 per million. */
export function formatPrice(picos: number): string {
  return `${formatMillion(picos)} per million`;
}

/** Writes the price of a million tokens, of which one costs so many pico-dollars: $1.25. */
export function formatMillion(picos: number): string {
  return formatPicos((BigInt(picos) * 1_000_000n).toString());
}

/** Adds up costs and rounds them as the recorded cost is rounded: to nano-dollars, half up. */
export function sumNanos(picos: readonly string[]): number {
  const sum = picos.reduce((total, one) => total + BigInt(one), 0n);
  return Number((sum + 500n) / 1000n);
}

/** A difference is shown from this part of the larger figure on: fees of gateways are larger, rounding is smaller. */
const SHOWN_PART = 0.02;
/** Nano-dollars up to which a difference is rounding. */
const ROUNDING_NANOS = 1000;

/**
 * Explains how far the cost that a provider reports is from the sum by prices, both in nano-dollars; undefined where
 * they are close, or one of them is not known.
 */
export function explainDifference(reported: number | null, byPrices: number | undefined): string | undefined {
  if (reported === null || byPrices === undefined) return undefined;
  const difference = reported - byPrices;
  const size = Math.abs(difference);
  if (size <= ROUNDING_NANOS || size <= SHOWN_PART * Math.max(reported, byPrices)) return undefined;
  const part = byPrices === 0 ? "" : `, ${((size / byPrices) * 100).toFixed(0)}% of them`;
  return (
    `It reports ${formatCost(reported)}, which is ${formatCost(size)} ${difference > 0 ? "more" : "less"} than ` +
    `today's prices here${part}. Check the model's price, the upstream's fees, and what else it charges for.`
  );
}
