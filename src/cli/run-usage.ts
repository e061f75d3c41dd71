import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { NANOS_PER_USD, nanosToUsd } from "../hub/money.ts";
import {
  describeShadow,
  findGroupProblem,
  nameFigures,
  nameShadow,
  type UsageDimension,
  type UsageReport,
  usageCsv,
  usageRows,
} from "../hub/usage.ts";
import { usageFromMessage } from "../hub/usage-from-message.ts";
import { USAGE_DIMENSION_MESSAGES } from "../hub/usage-message.ts";
import { DEFAULT_PROJECT } from "../store/entities/project.ts";
import { readProjects, withAdmin } from "./admin-client.ts";
import { mergeUsage } from "./merge-usage.ts";
import { fail, print, printJson, printTable } from "./output.ts";
import type { UsageOptions } from "./usage-options.ts";

const DEFAULT_MS = 30 * 86_400_000;

/** Prints the usage of a project, or of all of them. */
export async function runUsage(options: UsageOptions): Promise<void> {
  const { groupBy, format, project = DEFAULT_PROJECT.id, allProjects, ...range } = options;
  const to = range.to ?? new Date();
  const from = range.from ?? new Date(to.getTime() - DEFAULT_MS);
  if (from >= to) fail("--from must be before --to");
  const problem = findGroupProblem(groupBy);
  if (problem !== undefined) fail(`--group-by ${problem}`);
  await withAdmin(options, { project }, async (admin) => {
    const time = { from: timestampFromDate(from), to: timestampFromDate(to) };
    const read = async (id: string, dimensions: readonly UsageDimension[]) => {
      const messages = dimensions.map((dimension) => USAGE_DIMENSION_MESSAGES[dimension]);
      return usageFromMessage(await admin.getUsage({ project: id, ...time, groupBy: messages }));
    };
    if (!allProjects) return printReport(await read(project, groupBy), { groupBy, format });
    const others = groupBy.filter((dimension) => dimension !== "project");
    const reports = [];
    for (const { id, name } of await readProjects(admin)) reports.push({ name, report: await read(id, others) });
    return printReport(mergeUsage(reports), { groupBy: ["project", ...others], format });
  });
}

function printReport(report: UsageReport, { groupBy, format }: Pick<UsageOptions, "groupBy" | "format">): void {
  const rows = usageRows(report, groupBy);
  const total = nameFigures(report.total);
  if (format === "csv") process.stdout.write(usageCsv(report, groupBy));
  else if (format === "json") printJson({ data: rows, total, ...nameShadow(report.shadow) });
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
  return heading === "cost_usd" ? nanosToUsd(value * NANOS_PER_USD, 6) : String(value);
}
