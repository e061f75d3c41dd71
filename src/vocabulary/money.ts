/** Billionths of a USD in one. */
export const NANOS_PER_USD = 1_000_000_000;

const DECIMALS = 9;
/** Small amounts have two digits that count. */
const SMALL = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 2 });

/**
 * Writes nano-USD as USD with all decimals that it has, and no exponent: 0.0000006. It has at least as many decimals as
 * asked for; parts of a nano-USD are rounded.
 */
export function nanosToUsd(nanos: number | bigint, leastDecimals = 0): string {
  const all = BigInt(typeof nanos === "number" ? Math.round(nanos) : nanos);
  const [sign, size] = all < 0n ? ["-", -all] : ["", all];
  const decimals = (size % BigInt(NANOS_PER_USD)).toString().padStart(DECIMALS, "0");
  let length = DECIMALS;
  while (length > leastDecimals && decimals[length - 1] === "0") length -= 1;
  const whole = `${sign}${size / BigInt(NANOS_PER_USD)}`;
  return length === 0 ? whole : `${whole}.${decimals.slice(0, length)}`;
}

/** Writes USD as people set it, with all decimals that it has, and no exponent: 0.0000006. */
export function writeUsd(usd: number): string {
  return nanosToUsd(usd * NANOS_PER_USD);
}

/** Writes nano-USD for a sentence: 12.30 USD, and small amounts with two digits, as 0.0000006 USD. */
export function formatUsd(nanos: number): string {
  const usd = nanos / NANOS_PER_USD;
  return `${usd >= 0.1 || usd === 0 ? usd.toFixed(2) : SMALL.format(usd)} USD`;
}
