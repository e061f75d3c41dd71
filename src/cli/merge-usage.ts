import { addFigures, NO_FEEDBACK, NO_FIGURES, type UsageReport } from "../figures/usage.ts";

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
    total: reports.map(({ report }) => report.total).reduce(addFigures, { ...NO_FIGURES, ...NO_FEEDBACK }),
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
