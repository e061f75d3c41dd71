/** Standard deviations by which a model has to be ahead before it counts as better. */
const SURE = 1.96;

/** Tells whether a difference is more than chance would make of two estimates with these standard deviations. */
export function isSignificant(difference: number, one: number, other: number): boolean {
  return Math.abs(difference) > SURE * Math.hypot(one, other);
}
