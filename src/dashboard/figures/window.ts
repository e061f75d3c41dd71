import { z } from "zod";
import { DAY_MS, HOUR_MS, MINUTE_MS, stepStart, WEEK_MS } from "../../store/dashboard/figures/steps.ts";

/** Spans until now, in the steps that their charts have; the last step is the one that is running. */
const SPANS = {
  "1h": { stepMs: 2 * MINUTE_MS, steps: 30 },
  "24h": { stepMs: HOUR_MS, steps: 24 },
  "7d": { stepMs: 6 * HOUR_MS, steps: 28 },
  "30d": { stepMs: DAY_MS, steps: 30 },
  "90d": { stepMs: DAY_MS, steps: 90 },
  "1y": { stepMs: WEEK_MS, steps: 53 },
} as const;

/** Steps of a range that someone chose, by how long it is at most. */
const CUSTOM_STEPS = [
  { untilMs: 2 * DAY_MS, stepMs: HOUR_MS },
  { untilMs: 14 * DAY_MS, stepMs: 6 * HOUR_MS },
  { untilMs: 120 * DAY_MS, stepMs: DAY_MS },
];

const MAX_DAYS = 731;

const time = z.iso.datetime("must be a time such as 2026-11-21T14:00:00.000Z").transform((text) => Date.parse(text));

/** The window of a page: a span until now, or two times, which are rounded to whole hours. */
export const rangeInput = z
  .object({
    range: z.enum([...(Object.keys(SPANS) as (keyof typeof SPANS)[]), "custom"], {
      error: `must be one of ${Object.keys(SPANS).join(", ")}, custom`,
    }),
    from: time.optional(),
    to: time.optional(),
  })
  .check(({ value: { range, from, to }, issues }) => {
    const complain = (field: string, message: string) =>
      issues.push({ code: "custom", path: [field], message, input: field });
    if (range !== "custom") {
      if (from !== undefined) complain("from", "works only with the range custom");
      if (to !== undefined) complain("to", "works only with the range custom");
      return;
    }
    if (from === undefined) complain("from", "is needed with the range custom");
    if (to === undefined) complain("to", "is needed with the range custom");
    if (from === undefined || to === undefined) return;
    if (from >= to) complain("to", "must be later than from");
    else if (to - from > MAX_DAYS * DAY_MS) complain("to", `must be within ${MAX_DAYS} days of from`);
    if (from >= Date.now()) complain("from", "must be in the past");
  });

/** The parsed window. */
export type RangeInput = z.output<typeof rangeInput>;

/** A time that is looked at, in milliseconds since 1970. */
export interface Window {
  readonly fromMs: number;
  /** Not part of it. */
  readonly toMs: number;
  readonly stepMs: number;
  /** The distance of the period that it is compared with. */
  readonly periodMs: number;
}

/** Returns the time that is meant, which ends now at the latest. */
export function planWindow({ range, from, to }: RangeInput, nowMs: number): Window {
  if (range === "custom") return customWindow(from ?? nowMs, to ?? nowMs, nowMs);
  const { stepMs, steps } = SPANS[range];
  const periodMs = steps * stepMs;
  return { fromMs: stepStart(nowMs, stepMs) + stepMs - periodMs, toMs: nowMs, stepMs, periodMs };
}

/** Returns that time in whole hours, for pages that read rollups alone. */
export function planHours(input: RangeInput, nowMs: number): Pick<Window, "fromMs" | "toMs" | "periodMs"> {
  const window = planWindow(input, nowMs);
  return { ...window, fromMs: stepStart(window.fromMs, HOUR_MS) };
}

function customWindow(from: number, to: number, nowMs: number): Window {
  const fromMs = stepStart(from, HOUR_MS);
  const endMs = stepStart(to + HOUR_MS - 1, HOUR_MS);
  const periodMs = endMs - fromMs;
  const stepMs = CUSTOM_STEPS.find(({ untilMs }) => periodMs <= untilMs)?.stepMs ?? WEEK_MS;
  return { fromMs, toMs: Math.min(endMs, nowMs), stepMs, periodMs };
}

/** One step of a chart. */
export interface Bucket {
  readonly startMs: number;
  /** True if it is still running, or the range has only a part of it. */
  readonly isPartial: boolean;
}

/** Returns all steps of a window, also those in which nothing happened. */
export function listBuckets({ fromMs, toMs, stepMs }: Pick<Window, "fromMs" | "toMs" | "stepMs">): Bucket[] {
  const buckets: Bucket[] = [];
  for (let startMs = stepStart(fromMs, stepMs); startMs < toMs; startMs += stepMs) {
    buckets.push({ startMs, isPartial: startMs < fromMs || startMs + stepMs > toMs });
  }
  return buckets;
}
