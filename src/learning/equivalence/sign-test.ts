/**
 * The hits and misses of a sign test. Where two answers come from one distribution, which of them is the longer one is
 * a coin that nobody has bent.
 */
export type SignTest = readonly [hits: number, misses: number];

/** A part of a whole, and between what it lies. */
export interface Share {
  /** Undefined where nothing was counted. */
  readonly estimate: number | undefined;
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the logarithm of the evidence against a coin that hits with a given chance: how much better all other coins,
 * taken together, foretold what was counted (Robbins' mixture with the uniform prior). As long as the chance is the
 * given one it is a martingale that begins at 1, so that it ever reaches 1/a with probability a at most, however often
 * it is looked at (Ville). It depends on the counts alone, so that counts of several processes add up.
 */
export function logEvidence([hits, misses]: SignTest, chance: number): number {
  return logMixture([hits, misses]) - hits * Math.log(chance) - misses * Math.log1p(-chance);
}

/**
 * Returns a share with its confidence interval: it holds the true one at every number of samples, but for a probability
 * of `level`.
 */
export function getShare(coin: SignTest, level: number): Share {
  const [hits, misses] = coin;
  const count = hits + misses;
  if (count === 0) return { estimate: undefined, low: 0, high: 1 };
  const estimate = hits / count;
  const isInside = (chance: number): boolean => logEvidence(coin, chance) < -Math.log(level);
  return {
    estimate,
    low: hits === 0 ? 0 : borderBetween(0, estimate, isInside),
    high: misses === 0 ? 1 : borderBetween(1, estimate, isInside),
  };
}

/** Halvings until a border is known to a millionth. */
const STEPS = 20;

function borderBetween(outside: number, inside: number, isInside: (chance: number) => boolean): number {
  let [out, within] = [outside, inside];
  for (let step = 0; step < STEPS; step++) {
    const middle = (out + within) / 2;
    if (isInside(middle)) within = middle;
    else out = middle;
  }
  return out;
}

/** The probability of such counts, in one order, where the chance itself is drawn evenly from 0 to 1. */
function logMixture([hits, misses]: SignTest): number {
  return logFactorial(hits) + logFactorial(misses) - logFactorial(hits + misses + 1);
}

/** Logarithms of factorials; grows up to `TABLE` as they are asked for. */
const factorials = [0];
const TABLE = 2 ** 16;

function logFactorial(n: number): number {
  // Stirling: beyond the table it is exact to the last digit.
  if (n >= TABLE) return n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2 + 1 / (12 * n);
  for (let next = factorials.length; next <= n; next++) factorials.push((factorials[next - 1] ?? 0) + Math.log(next));
  return factorials[n] ?? 0;
}
