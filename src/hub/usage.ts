import { encodeCsv } from "../lib/csv.ts";
import { formatUsd, NANOS_PER_USD, nanosToUsd } from "../vocabulary/money.ts";

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

/** The sums of no call: what each figure of calls begins with. */
export const NO_USAGE = {
  calls: 0,
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  estimatedCalls: 0,
  pricedCalls: 0,
  costNanos: 0,
} as const;

/** The figures of calls. */
export interface UsageFigures {
  readonly calls: number;
  readonly failedCalls: number;
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** Calls of whose tokens some are estimated, for the upstream did not tell them. */
  readonly estimatedCalls: number;
  /** Calls whose cost is known; the cost is of these. */
  readonly pricedCalls: number;
  readonly costNanos: number;
  /** Of completed calls; undefined where there are none. */
  readonly latencyP50Ms: number | undefined;
  readonly latencyP95Ms: number | undefined;
  /** On these calls, given in the time; undefined where there is too much of it to be read. */
  readonly feedback?: FeedbackFigures | undefined;
}

/** The figures of feedback. */
export interface FeedbackFigures {
  /** Values: booleans, numbers and notes. */
  readonly entries: number;
  readonly booleans: number;
  /** Booleans that are true. */
  readonly trues: number;
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

/** Returns figures as JSON and CSV have them: by snake_case names, the cost in USD, null for what is not known. */
export function nameFigures(figures: UsageFigures): Readonly<Record<string, number | null>> {
  return {
    calls: figures.calls,
    failed_calls: figures.failedCalls,
    input_tokens: figures.inputTokens,
    cache_read_tokens: figures.cacheReadTokens,
    cache_write_tokens: figures.cacheWriteTokens,
    output_tokens: figures.outputTokens,
    reasoning_tokens: figures.reasoningTokens,
    estimated_calls: figures.estimatedCalls,
    priced_calls: figures.pricedCalls,
    cost_usd: figures.pricedCalls === 0 ? null : figures.costNanos / NANOS_PER_USD,
    latency_p50_ms: figures.latencyP50Ms ?? null,
    latency_p95_ms: figures.latencyP95Ms ?? null,
    feedback_entries: figures.feedback?.entries ?? null,
    boolean_feedback_entries: figures.feedback?.booleans ?? null,
    true_feedback_entries: figures.feedback?.trues ?? null,
  };
}

/** Returns the rows of a report: the dimensions by their names, then the figures. */
export function usageRows({ groups }: Pick<UsageReport, "groups">, groupBy: readonly UsageDimension[]) {
  return groups.map(
    ({ values, figures }): Readonly<Record<string, string | number | null>> => ({
      ...Object.fromEntries(groupBy.map((dimension, at) => [dimension, values[at] ?? ""])),
      ...nameFigures(figures),
    }),
  );
}

/** Returns a report as CSV with a heading, which stands there without a group too. */
export function usageCsv({ groups, total }: UsageReport, groupBy: readonly UsageDimension[]): string {
  const rows = usageRows({ groups }, groupBy).map((row, at) => {
    const { pricedCalls, costNanos } = groups[at]?.figures ?? { pricedCalls: 0, costNanos: 0 };
    return { ...row, cost_usd: pricedCalls === 0 ? null : nanosToUsd(costNanos) };
  });
  return encodeCsv([...groupBy, ...Object.keys(nameFigures(total))], rows);
}
