/** The facts of a kind of condition. */
interface KindFacts {
  /** Name for people. */
  readonly label: string;
  /** True if projects may have rules of it; others are the operator's. */
  readonly isOfProjects: boolean;
  /** Unit of value and threshold. */
  readonly unit: "share" | "seconds" | "minutes" | "count";
  /** Longest window, in minutes; undefined where a rule has none. */
  readonly maxWindowMinutes: number | undefined;
  /** True if too few calls tell nothing. */
  readonly hasMinCalls: boolean;
}

const HOUR = 60;
const WEEK = 7 * 24 * HOUR;

/** The kinds of conditions that rules tell of. A new one is a row here, a reading and a default rule. */
export const ALERT_KINDS = {
  "error-rate": {
    label: "Error rate",
    isOfProjects: true,
    unit: "share",
    maxWindowMinutes: HOUR,
    hasMinCalls: true,
  },
  latency: {
    label: "Latency (p95)",
    isOfProjects: true,
    unit: "seconds",
    maxWindowMinutes: HOUR,
    hasMinCalls: true,
  },
  budget: {
    label: "Budget used",
    isOfProjects: true,
    unit: "share",
    maxWindowMinutes: undefined,
    hasMinCalls: false,
  },
  "refused-keys": {
    label: "Refused keys",
    isOfProjects: true,
    unit: "count",
    maxWindowMinutes: HOUR,
    hasMinCalls: false,
  },
  "canceled-cost": {
    label: "Spent on canceled calls",
    isOfProjects: true,
    unit: "share",
    maxWindowMinutes: HOUR,
    hasMinCalls: true,
  },
  drift: { label: "Drift", isOfProjects: true, unit: "count", maxWindowMinutes: WEEK, hasMinCalls: false },
  "regret-budget": {
    label: "Regret budget exhausted",
    isOfProjects: true,
    unit: "count",
    maxWindowMinutes: WEEK,
    hasMinCalls: false,
  },
  "crowded-metrics": {
    label: "Metrics crowded out",
    isOfProjects: true,
    unit: "count",
    maxWindowMinutes: WEEK,
    hasMinCalls: false,
  },
  deployment: {
    label: "Deployment out",
    isOfProjects: false,
    unit: "minutes",
    maxWindowMinutes: undefined,
    hasMinCalls: false,
  },
  spool: { label: "Spool used", isOfProjects: false, unit: "share", maxWindowMinutes: undefined, hasMinCalls: false },
  database: {
    label: "Database away",
    isOfProjects: false,
    unit: "minutes",
    maxWindowMinutes: undefined,
    hasMinCalls: false,
  },
} as const satisfies Record<string, KindFacts>;

/** A kind of condition. */
export type AlertKind = keyof typeof ALERT_KINDS;

export const ALERT_KIND_NAMES = Object.keys(ALERT_KINDS) as readonly AlertKind[];

/** Returns whether a text names a kind. */
export function isAlertKind(text: string): text is AlertKind {
  return Object.hasOwn(ALERT_KINDS, text);
}

/** Returns whether rules of a kind look at a window of time. */
export function hasWindow(kind: AlertKind): boolean {
  return ALERT_KINDS[kind].maxWindowMinutes !== undefined;
}

/** Returns a value of a kind for people: `34%`, `2.1 s`, `5 min`. */
export function formatAlertValue(kind: AlertKind, value: number): string {
  const { unit } = ALERT_KINDS[kind];
  const rounded = Number(value.toPrecision(3));
  if (unit === "share") return `${Number((value * 100).toPrecision(3))}%`;
  if (unit === "seconds") return `${rounded} s`;
  return unit === "minutes" ? `${rounded} min` : `${rounded}`;
}
