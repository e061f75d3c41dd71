import { type MetricSettings, metricProblem } from "../../../../../vocabulary/metric-overrides.ts";

/** The form's values of a metric: numbers as they are typed, "" for none. */
export interface MetricDraft {
  readonly name: string;
  readonly weight: string;
  readonly direction: "" | "max" | "min";
  readonly atLeast: string;
  readonly atMost: string;
}

const FIGURES = { weight: "the weight", atLeast: "at least", atMost: "at most" } as const;

/** Begins a form with nothing said of a metric. */
export function emptyMetric(name: string): MetricDraft {
  return { name, weight: "", direction: "", atLeast: "", atMost: "" };
}

/** Begins a form with what is said. */
export function toMetricDraft({ name, weight, direction, atLeast, atMost }: MetricSettings): MetricDraft {
  return { name, weight: text(weight), direction: direction ?? "", atLeast: text(atLeast), atMost: text(atMost) };
}

/** Reads what is said of a metric; a number that is none is NaN. */
export function toMetricSettings({ name, weight, direction, atLeast, atMost }: MetricDraft): MetricSettings {
  return {
    name,
    ...(weight.trim() !== "" && { weight: Number(weight) }),
    ...(direction !== "" && { direction }),
    ...(atLeast.trim() !== "" && { atLeast: Number(atLeast) }),
    ...(atMost.trim() !== "" && { atMost: Number(atMost) }),
  };
}

/** Why what is said of a metric cannot be sent; undefined if it can. */
export function metricDraftProblem(draft: MetricDraft): string | undefined {
  for (const [member, label] of Object.entries(FIGURES)) {
    const typed = draft[member as keyof typeof FIGURES];
    if (typed.trim() !== "" && !Number.isFinite(Number(typed))) return `${label} must be a number, such as 0.5`;
  }
  const settings = toMetricSettings(draft);
  if (Object.keys(settings).length === 1) return "say something of it, or remove it";
  return metricProblem(settings);
}

/** Returns whether two forms say the same of a metric, however they spell it. */
export function isSameMetric(one: MetricDraft | undefined, other: MetricDraft | undefined): boolean {
  return spelling(one) === spelling(other);
}

function spelling(draft: MetricDraft | undefined): string {
  if (draft === undefined) return "";
  // What cannot be read is as it was typed.
  return JSON.stringify(metricDraftProblem(draft) === undefined ? toMetricSettings(draft) : draft);
}

function text(value: number | undefined): string {
  return value === undefined ? "" : String(value);
}
