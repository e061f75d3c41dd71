import { NO_USAGE, type UsageFigures, type UsageReport } from "../hub/usage.ts";

/** The usage of a project, with the project's name. */
interface ProjectReport {
  readonly name: string;
  readonly report: UsageReport;
}

/**
 * Puts the reports of projects into one, whose groups begin with the project's name. Its total has no latencies:
 * percentiles cannot be added up.
 */
export function mergeUsage(reports: readonly ProjectReport[]): UsageReport {
  const groups = reports.flatMap(({ name, report }) =>
    report.groups.map(({ values, figures }) => ({ values: [name, ...values], figures })),
  );
  const shadows = reports.flatMap(({ report: { shadow } }) => shadow ?? []);
  return {
    groups,
    total: reports.map(({ report }) => report.total).reduce(addFigures, NOTHING),
    ...(shadows.length > 0 && { shadow: shadows.reduce(addShadow) }),
  };
}

type Shadow = NonNullable<UsageReport["shadow"]>;

function addShadow(one: Shadow, other: Shadow): Shadow {
  const costs = [one.costNanos, other.costNanos].filter((nanos) => nanos !== null);
  return {
    trials: one.trials + other.trials,
    checks: one.checks + other.checks,
    costNanos: costs.length === 0 ? null : costs.reduce((sum, nanos) => sum + nanos),
  };
}

const NOTHING: UsageFigures = {
  ...NO_USAGE,
  failedCalls: 0,
  latencyP50Ms: undefined,
  latencyP95Ms: undefined,
  feedback: { entries: 0, booleans: 0, trues: 0 },
};

function addFigures(one: UsageFigures, other: UsageFigures): UsageFigures {
  return {
    calls: one.calls + other.calls,
    failedCalls: one.failedCalls + other.failedCalls,
    inputTokens: one.inputTokens + other.inputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
    estimatedCalls: one.estimatedCalls + other.estimatedCalls,
    pricedCalls: one.pricedCalls + other.pricedCalls,
    costNanos: one.costNanos + other.costNanos,
    latencyP50Ms: undefined,
    latencyP95Ms: undefined,
    feedback: one.feedback && other.feedback && addFeedback(one.feedback, other.feedback),
  };
}

type Feedback = NonNullable<UsageFigures["feedback"]>;

function addFeedback(one: Feedback, other: Feedback): Feedback {
  return {
    entries: one.entries + other.entries,
    booleans: one.booleans + other.booleans,
    trues: one.trues + other.trues,
  };
}
