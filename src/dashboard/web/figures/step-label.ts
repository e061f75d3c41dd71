import { describeZone, offsetAt, VIEWER_ZONE } from "../parts/zone.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A range and its steps, in milliseconds. */
export interface Steps {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
}

/** When a step begins, and whether it is complete. */
export interface Bucket {
  readonly startMs: number;
  readonly isPartial: boolean;
}

/**
 * Writes when steps begin, no two of them alike, with a mark on those that are not complete: 14:00, 20 Nov 18:00. Steps
 * up to some hours go by the viewer's clock, as lists do; days and weeks are added up in UTC, and say so to a viewer
 * whose days are others: 20 Nov UTC.
 */
export function stepLabels(buckets: readonly Bucket[], steps: Steps, zone: string = VIEWER_ZONE): string[] {
  const write = stepFormat(steps, zone);
  const labels = buckets.map(({ startMs }) => write(startMs));
  const counts = Map.groupBy(labels, (label) => label);
  return buckets.map(({ startMs, isPartial }, at) => {
    const label = labels[at] ?? "";
    // An hour comes twice when clocks are set back.
    const isAlone = counts.get(label)?.length === 1;
    return `${label}${isAlone ? "" : ` ${offsetAt(startMs, zone)}`}${isPartial ? "*" : ""}`;
  });
}

function stepFormat({ fromMs, toMs, stepMs }: Steps, zone: string): (timeMs: number) => string {
  if (stepMs >= DAY_MS) {
    const hasYear = stepMs > DAY_MS || toMs - fromMs > 365 * DAY_MS;
    const day = hasYear ? dayWithYear("UTC") : dayAlone("UTC");
    return (timeMs) => `${day.format(timeMs)}${isUtc(zone) ? "" : " UTC"}`;
  }
  const clock = createClock(zone);
  if (toMs - fromMs <= DAY_MS) return (timeMs) => clock.format(timeMs);
  const day = toMs - fromMs > 365 * DAY_MS ? dayWithYear(zone) : dayAlone(zone);
  return (timeMs) => `${day.format(timeMs)} ${clock.format(timeMs)}`;
}

/** Writes how long a step is: "per hour", "per 6 hours"; for viewers in other zones "per day (UTC)". */
export function perStep(stepMs: number, zone: string = VIEWER_ZONE): string {
  const [count, unit] =
    stepMs >= DAY_MS
      ? [stepMs / DAY_MS, "day"]
      : stepMs >= HOUR_MS
        ? [stepMs / HOUR_MS, "hour"]
        : [stepMs / 60_000, "minute"];
  const inUtc = unit === "day" && !isUtc(zone) ? " (UTC)" : "";
  if (unit === "day" && count === 7) return `per week${inUtc}`;
  return count === 1 ? `per ${unit}${inUtc}` : `per ${count} ${unit}s${inUtc}`;
}

/**
 * Writes a range by the viewer's clock, with its zone: 20 Nov 2026, 15:00 – 21 Nov 2026, 14:12 (Europe/Zurich, GMT+1).
 */
export function rangeLabel(fromMs: number, toMs: number, zone: string = VIEWER_ZONE): string {
  const [day, clock] = [dayWithYear(zone), createClock(zone)];
  const write = (timeMs: number) => `${day.format(timeMs)}, ${clock.format(timeMs)}`;
  return `${write(fromMs)} – ${write(toMs)} (${describeZone(zone, toMs)})`;
}

/** Zones whose days are those of UTC all year round. */
function isUtc(zone: string): boolean {
  return ["UTC", "Etc/UTC", "Etc/GMT", "GMT"].includes(zone);
}

function createClock(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
}

function dayAlone(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone });
}

function dayWithYear(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone });
}
