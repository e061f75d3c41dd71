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
  return `${formatPicos((BigInt(picos) * 1_000_000n).toString())} per million`;
}

/** Adds up costs and rounds them as the recorded cost is rounded: to nano-dollars, half up. */
export function sumNanos(picos: readonly string[]): number {
  const sum = picos.reduce((total, one) => total + BigInt(one), 0n);
  return Number((sum + 500n) / 1000n);
}
