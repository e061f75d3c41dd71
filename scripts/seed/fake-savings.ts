import type { Savings } from "../../src/hub/saving-kinds.ts";
import type { InferenceRow } from "../../src/store/entities/inference.ts";
import type { Random } from "./random.ts";

type SavingColumns = Pick<InferenceRow, "optimizations" | "saved" | "costNanos" | "baseCostNanos">;

/**
 * Makes up what was done for an inference of this price, and what it cost after that; of one without a price nothing is
 * known.
 */
export function fakeSavings(random: Random, priceNanos: number | null): SavingColumns {
  if (priceNanos === null) return { optimizations: [], saved: {}, costNanos: null, baseCostNanos: null };
  const nanos = (part: number): number => Math.round(priceNanos * part);
  const [optimizations, saved] = random.pick<readonly [string[], Savings]>([
    [[[], {}], 84],
    [[["cache-marks"], { cacheMarks: nanos(0.3) }], 8],
    [[["coalesced"], { coalescing: priceNanos }], 3],
    [[["deployment-choice"], { choice: nanos(0.1) }], 2.5],
    [[["failover"], { failover: -nanos(0.2) }], 2],
    [[["hedged"], { hedging: -nanos(0.5) }], 0.5],
  ]);
  const savedNanos = Object.values(saved).reduce((sum, each) => sum + each, 0);
  return { optimizations, saved, costNanos: priceNanos - savedNanos, baseCostNanos: priceNanos };
}
