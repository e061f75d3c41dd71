/** The logistic function: the probability of which `logit` is the logarithm of the odds. */
export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
