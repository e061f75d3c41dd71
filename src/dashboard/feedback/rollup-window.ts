import { type Bucket, getChartPeriod, HOUR_MS } from "../../store/dashboard/figures/steps.ts";
import { planWindow, type RangeInput, type Window } from "../figures/window.ts";

/** A time in steps that rollups know. */
interface RollupWindow extends Window {
  /** The length of the rollups that are read. */
  readonly bucket: Bucket;
  readonly range: { readonly from: Date; readonly to: Date };
}

/** Returns the time that is meant, in whole hours: rollups know no shorter steps. */
export function planRollups(input: RangeInput, nowMs: number): RollupWindow {
  const window = planWindow(input, nowMs);
  const stepMs = Math.max(window.stepMs, HOUR_MS);
  const fromMs = Math.floor(window.fromMs / HOUR_MS) * HOUR_MS;
  return {
    ...window,
    fromMs,
    stepMs,
    bucket: getChartPeriod(stepMs),
    range: { from: new Date(fromMs), to: new Date(window.toMs) },
  };
}
