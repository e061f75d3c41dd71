import { FACT_DIMENSIONS } from "../../../figures/usage.ts";
import { DAY_MS, HOUR_MS, stepStart } from "../../../store/dashboard/figures/steps.ts";
import type { TimeRange } from "../../../store/read/queries/range.ts";
import { planHours, type RangeInput } from "../../figures/window.ts";

/** The times that a ranking of costs is about. */
export interface Spans {
  readonly range: TimeRange;
  /** Its part that has ended, and the period before that; undefined where nothing of it has. */
  readonly compared: { readonly now: TimeRange; readonly before: TimeRange } | undefined;
}

/**
 * Returns the time that is meant, and what of it is compared with the period before: whole hours, since rollups know
 * no parts of them, or whole days of UTC where calls are counted by the day. One that is still running is left out.
 */
export function planSpans({ by, ...input }: RangeInput & { readonly by: string }, nowMs: number): Spans {
  const window = planHours(input, nowMs);
  const isDaily = FACT_DIMENSIONS.some((daily) => daily === by);
  const stepMs = isDaily ? DAY_MS : HOUR_MS;
  const fromMs = stepStart(window.fromMs, stepMs);
  const toMs = isDaily ? stepStart(window.toMs - 1, DAY_MS) + DAY_MS : window.toMs;
  const endedMs = Math.min(toMs, stepStart(nowMs, stepMs));
  const backMs = isDaily ? toMs - fromMs : window.periodMs;
  const now = span(fromMs, endedMs);
  return {
    range: span(fromMs, toMs),
    compared: endedMs > fromMs ? { now, before: span(fromMs - backMs, endedMs - backMs) } : undefined,
  };
}

function span(fromMs: number, toMs: number): TimeRange {
  return { from: new Date(fromMs), to: new Date(toMs) };
}
