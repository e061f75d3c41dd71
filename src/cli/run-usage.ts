import {
  describeShadow,
  findGroupProblem,
  findUsageProblem,
  nameFigures,
  nameShadow,
  type UsageReport,
  usageCsv,
  usageRows,
} from "../hub/usage.ts";
import { readUsageReport } from "../store/usage/read-usage-report.ts";
import { findProject } from "./find-project.ts";
import { fail, print, printTable } from "./output.ts";
import type { UsageOptions } from "./usage-options.ts";
import { openConfiguredStore, readConfig } from "./with-config.ts";

const DEFAULT_MS = 30 * 86_400_000;

/** Prints the usage of a project. */
export async function runUsage({ groupBy, format, project, ...range }: UsageOptions): Promise<void> {
  const to = range.to ?? new Date();
  const from = range.from ?? new Date(to.getTime() - DEFAULT_MS);
  if (from >= to) fail("--from must be before --to");
  refuse(findGroupProblem(groupBy));
  const config = readConfig();
  const store = await openConfiguredStore(config);
  try {
    const { id } = await findProject(store, project);
    const report = await readUsageReport(store, { projectId: id, from, to, groupBy });
    refuse(findUsageProblem(report));
    const modelAt = groupBy.indexOf("model");
    const groups = report.groups.map((group) => ({
      ...group,
      values: group.values.map((value, at) => (at === modelAt ? `${config.prefix}/${value}` : value)),
    }));
    printReport({ ...report, groups }, { groupBy, format });
  } finally {
    await store.close();
  }
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) fail(`--group-by ${problem}`);
}

function printReport(report: UsageReport, { groupBy, format }: Pick<UsageOptions, "groupBy" | "format">): void {
  const rows = usageRows(report, groupBy);
  const total = nameFigures(report.total);
  if (format === "csv") process.stdout.write(usageCsv(report, groupBy));
  else if (format === "json") print(JSON.stringify({ data: rows, total, ...nameShadow(report.shadow) }));
  else {
    const headings = [...groupBy, ...Object.keys(total)];
    const last = groupBy.length === 0 ? [] : [{ ...total, [groupBy[0] ?? ""]: "total" }];
    const shown = groupBy.length === 0 ? [total] : [...rows, ...last];
    printTable(
      headings,
      shown.map((row) => headings.map((heading) => cellOf(row, heading))),
    );
    if (report.shadow !== undefined) print(`\nshadow trials: ${describeShadow(report.shadow)}`);
  }
}

/** Latencies and costs are told with the digits that they have. */
function cellOf(row: Readonly<Record<string, string | number | null>>, heading: string): string {
  const value = row[heading];
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (heading.endsWith("_ms")) return value.toFixed(0);
  return heading === "cost_usd" ? value.toFixed(6) : String(value);
}
