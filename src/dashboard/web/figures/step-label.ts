const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const year = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** A range and its steps, in milliseconds. */
export interface Steps {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
}

/** Writes when a step begins, in UTC, no two of a range alike: 14:00, 20 Nov 18:00, 20 Nov, 16 Nov 2026. */
export function stepLabel(startMs: number, { fromMs, toMs, stepMs }: Steps): string {
  if (stepMs > DAY_MS || toMs - fromMs > 365 * DAY_MS) return year.format(startMs);
  if (stepMs === DAY_MS) return day.format(startMs);
  if (toMs - fromMs <= DAY_MS) return clock.format(startMs);
  return `${day.format(startMs)} ${clock.format(startMs)}`;
}

/** Writes how long a step is: "per hour", "per 6 hours". */
export function perStep(stepMs: number): string {
  const [count, unit] =
    stepMs >= DAY_MS
      ? [stepMs / DAY_MS, "day"]
      : stepMs >= HOUR_MS
        ? [stepMs / HOUR_MS, "hour"]
        : [stepMs / 60_000, "minute"];
  if (unit === "day" && count === 7) return "per week";
  return count === 1 ? `per ${unit}` : `per ${count} ${unit}s`;
}

/** Writes a range, in UTC: 20 Nov 2026, 14:00 – 21 Nov 2026, 13:12 UTC. */
export function rangeLabel(fromMs: number, toMs: number): string {
  const write = (timeMs: number) => `${year.format(timeMs)}, ${clock.format(timeMs)}`;
  return `${write(fromMs)} – ${write(toMs)} UTC`;
}
