import { isSignificant } from "../../../../lib/significance.ts";

/** A part of a whole, both counted in calls. */
export interface Part {
  readonly part: number;
  readonly whole: number;
}

/**
 * Compares a share with that of the period before: by how many percentage points it changed, undefined where either has
 * no calls, and whether chance would hardly do that.
 */
export function compareShares(
  now: Part,
  before: Part,
): { readonly points: number | undefined; readonly isSignificant: boolean } {
  if (now.whole === 0 || before.whole === 0) return { points: undefined, isSignificant: false };
  const difference = now.part / now.whole - before.part / before.whole;
  return {
    points: difference * 100,
    isSignificant: isSignificant(difference, estimateDeviation(now), estimateDeviation(before)),
  };
}

/** Returns the standard deviation of a share. No failure among few calls doesn't mean that none can happen. */
function estimateDeviation({ part, whole }: Part): number {
  const share = (part + 1) / (whole + 2);
  return Math.sqrt((share * (1 - share)) / whole);
}
