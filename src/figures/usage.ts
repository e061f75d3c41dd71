import { encodeCsv } from "../lib/csv.ts";
import { formatUsd, NANOS_PER_USD, nanosToUsd } from "../vocabulary/money.ts";
import type { Report } from "./measure-row.ts";
import { isAdditive, MEASURES, REPORTED, type ReportedName, type SumName } from "./measures.ts";

/** The dimensions that figures of calls are told apart by; each has a row in the tables of the store and of the RPC. */
export const USAGE_DIMENSIONS = ["key", "model", "project", "workload", "session", "end_user", "tag"] as const;

/** A dimension of usage. */
export type UsageDimension = (typeof USAGE_DIMENSIONS)[number];

/** Dimensions that are counted by the day, in a rollup of their own. */
export const FACT_DIMENSIONS = ["end_user", "tag"] as const satisfies readonly UsageDimension[];

/** One of these. */
export type FactDimension = (typeof FACT_DIMENSIONS)[number];

/** Returns the problem of dimensions that are not counted together; undefined where they are. */
export function findGroupProblem(groupBy: readonly UsageDimension[]): string | undefined {
  const fact = FACT_DIMENSIONS.find((dimension) => groupBy.includes(dimension));
  const others = groupBy.filter((dimension) => dimension !== fact && dimension !== "key" && dimension !== "project");
  if (fact === undefined || others.length === 0) return undefined;
  return `cannot have ${fact} together with ${others.join(", ")}: ${fact} goes with key and project alone`;
}

/** A question about usage. */
export interface UsageQuery {
  readonly projectId: string;
  /** Undefined for all keys of the project. */
  readonly keyId?: string | undefined;
  /** With the hour that it lies in; with the day where calls are told apart by end user or tag. */
  readonly from: Date;
  readonly to: Date;
  readonly groupBy: readonly UsageDimension[];
}

/** The figures of feedback: values (booleans, numbers and notes), the booleans among them, and those that are true. */
const FEEDBACK = {
  "feedback.entries": {
    field: "feedback_entries",
    number: 13,
    text:
      "Feedback values sent in the period on calls of this group, whenever these were made. Unknown by session if the " +
      "period has more than 50,000 of them",
    example: 3,
  },
  "feedback.booleans": { field: "boolean_feedback_entries", number: 14, text: "Boolean feedback values", example: 2 },
  "feedback.trues": {
    field: "true_feedback_entries",
    number: 15,
    text: "Boolean feedback values that are true",
    example: 1,
  },
} as const satisfies Readonly<Record<string, Report>>;

/** The figures of feedback on some calls. */
export type FeedbackFigures = Readonly<Record<keyof typeof FEEDBACK, number>>;

type FigureName = ReportedName | keyof FeedbackFigures;
type ReportedSum = ReportedName & SumName;

/**
 * The figures of calls in a report. Those that are no sums are null where nothing was measured, and undefined where
 * they weren't read, as feedback is where there is too much of it.
 */
export type UsageFigures = { readonly [Name in ReportedSum]: number } & {
  readonly [Name in Exclude<FigureName, ReportedSum>]?: number | null | undefined;
};

/**
 * Kinds of figures: sums and feedback are whole numbers that can be added up, but feedback may be unknown; percentiles
 * and ratios are null where nothing was measured.
 */
type FigureKind = "sum" | "feedback" | "percentile" | "ratio";

/** All figures of reports, in the order of JSON and CSV. */
export const REPORT_ROWS: readonly (Report & { readonly name: FigureName; readonly kind: FigureKind })[] = [
  ...REPORTED.map((name) => ({
    name,
    kind: kindOf(name),
    ...MEASURES[name].report,
  })),
  ...(Object.keys(FEEDBACK) as (keyof FeedbackFigures)[]).map((name) => ({
    name,
    kind: "feedback" as const,
    ...FEEDBACK[name],
  })),
];

function kindOf(name: ReportedName): FigureKind {
  if (isAdditive(name)) return "sum";
  return "histogram" in MEASURES[name] ? "percentile" : "ratio";
}

/** Returns whether figures of a kind are whole numbers that can be added up. */
export function isWhole({ kind }: { readonly kind: FigureKind }): boolean {
  return kind === "sum" || kind === "feedback";
}

/** The name of a figure in JSON and CSV, for the name of its field. */
type ColumnOf<Field extends string> = Field extends `${infer Name}_nano_usd` ? `${Name}_usd` : Field;

/** The names of all figures in JSON and CSV. */
export type FigureColumn = ColumnOf<
  (typeof MEASURES)[ReportedName]["report"]["field"] | (typeof FEEDBACK)[keyof typeof FEEDBACK]["field"]
>;

/** Returns whether a figure is a cost. */
export function isCost({ field }: Pick<Report, "field">): boolean {
  return field.endsWith("_nano_usd");
}

/** Returns the name of a figure in JSON and CSV. */
export function columnOf({ field }: Pick<Report, "field">): FigureColumn {
  return field.replace(/_nano_usd$/, "_usd") as FigureColumn;
}

/** The figures of no calls. */
export const NO_FIGURES = Object.fromEntries(
  REPORT_ROWS.flatMap(({ name, kind }) => (kind === "feedback" ? [] : [[name, kind === "sum" ? 0 : null]])),
) as UsageFigures;

/** The figures of no feedback. */
export const NO_FEEDBACK: FeedbackFigures = { "feedback.entries": 0, "feedback.booleans": 0, "feedback.trues": 0 };

/** Returns the figures of calls of two reports together: what isn't known of both, or can't be added up, is null. */
export function addFigures(one: UsageFigures, other: UsageFigures): UsageFigures {
  const sums = REPORT_ROWS.map((row) => {
    const [first, second] = [one[row.name] ?? null, other[row.name] ?? null];
    return [row.name, isWhole(row) && first !== null && second !== null ? first + second : null];
  });
  return Object.fromEntries(sums) as UsageFigures;
}

/** The usage of a time. */
export interface UsageReport {
  /** In the order of their values, which are in the order of the dimensions. */
  readonly groups: readonly { readonly values: readonly string[]; readonly figures: UsageFigures }[];
  /** All calls of the time. */
  readonly total: UsageFigures;
  /** Undefined where there were none, and for one key: no key makes them. */
  readonly shadow?: ShadowUsage | undefined;
  /** True if the time has more calls than are read for figures by session: there are no groups then. */
  readonly isTooLong?: boolean;
}

/** The shadow trials of a time, which count in no other figure. */
export interface ShadowUsage {
  /** Answers of other models that were asked for. */
  readonly trials: number;
  /** Further answers that the judge graded. */
  readonly checks: number;
  /** Null where no call had a price. */
  readonly costNanos: number | null;
}

/** Describes shadow trials: "12 trials and 30 checks of the judge, 0.084 USD". */
export function describeShadow({ trials, checks, costNanos }: ShadowUsage): string {
  const cost = costNanos === null ? "no price is known" : formatUsd(costNanos);
  const ofTrials = `${trials} ${trials === 1 ? "trial" : "trials"}`;
  return `${ofTrials} and ${checks} ${checks === 1 ? "check" : "checks"} of the judge, ${cost}`;
}

/** Returns shadow trials as JSON has them; nothing where there were none. */
export function nameShadow(shadow: ShadowUsage | undefined) {
  if (shadow === undefined) return {};
  const { trials, checks, costNanos } = shadow;
  return { shadow_trials: { trials, checks, cost_usd: costNanos === null ? null : costNanos / NANOS_PER_USD } };
}

/** Most calls of a time whose figures are told by session. */
export const MOST_SESSION_CALLS = 50_000;

/** Returns the remedy where a report has no groups because its time is too long; undefined where it has them. */
export function findUsageProblem({ isTooLong, total }: UsageReport): string | undefined {
  if (isTooLong !== true) return undefined;
  return `session is for at most ${MOST_SESSION_CALLS} calls, and the time has ${total.calls}: take a shorter time`;
}

/** Returns figures as JSON has them: by snake_case names, costs in USD, null for what is not known. */
export function nameFigures(figures: UsageFigures): Readonly<Record<FigureColumn, number | null>> {
  return byColumn(figures, (nanos) => nanos / NANOS_PER_USD);
}

function byColumn<Cost>(figures: UsageFigures, toUsd: (nanos: number) => Cost) {
  const values = REPORT_ROWS.map((row) => {
    const value = figures[row.name] ?? null;
    if (!isCost(row) || value === null) return [columnOf(row), value];
    return [columnOf(row), figures["priced.calls"] === 0 ? null : toUsd(value)];
  });
  return Object.fromEntries(values) as Record<FigureColumn, number | Cost | null>;
}

/** Returns the rows of a report: the dimensions by their names, then the figures. */
export function usageRows({ groups }: Pick<UsageReport, "groups">, groupBy: readonly UsageDimension[]) {
  return groups.map(
    ({ values, figures }): Readonly<Record<string, string | number | null>> => ({
      ...nameValues(values, groupBy),
      ...nameFigures(figures),
    }),
  );
}

function nameValues(values: readonly string[], groupBy: readonly UsageDimension[]) {
  return Object.fromEntries(groupBy.map((dimension, at) => [dimension, values[at] ?? ""]));
}

/** Returns a report as CSV with a heading, which stands there without a group too; costs have no exponent. */
export function usageCsv({ groups }: Pick<UsageReport, "groups">, groupBy: readonly UsageDimension[]): string {
  const rows = groups.map(({ values, figures }) => ({
    ...nameValues(values, groupBy),
    ...byColumn(figures, (nanos) => nanosToUsd(nanos)),
  }));
  return encodeCsv([...groupBy, ...REPORT_ROWS.map(columnOf)], rows);
}
