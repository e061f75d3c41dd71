import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  describeShadow,
  findGroupProblem,
  nameFigures,
  nameShadow,
  USAGE_DIMENSIONS,
  type UsageDimension,
  type UsageReport,
  usageCsv,
  usageRows,
} from "../../figures/usage.ts";
import { USAGE_DIMENSION_MESSAGES, usageFromMessage } from "../../figures/usage-message.ts";
import { NANOS_PER_USD, nanosToUsd } from "../../vocabulary/money.ts";
import { defineAdminRootCommand, readProjects } from "../admin-client.ts";
import { flag, option, UsageError, withPreset } from "../command.ts";
import { mergeUsage } from "../merge-usage.ts";
import { json, PROJECT, readMonth, readTime } from "../options.ts";
import { fail, print, printJson, printTable } from "../output.ts";

const DEFAULT_MS = 30 * 86_400_000;

/** `attune usage`. */
export const usage = defineAdminRootCommand({
  options: {
    month: option("month", "month of the UTC calendar, such as 2027-01", readMonth),
    from: option(
      "time",
      "beginning, such as 2027-01-31 or 2027-01-31T12:00:00Z; 30 days before the end if absent",
      readTime,
    ),
    to: option("time", "end; now if absent", readTime),
    groupBy: withPreset(option("dimensions", `comma-separated: ${USAGE_DIMENSIONS.join(", ")}`, readDimensions), []),
    csv: flag("print CSV", { conflicts: ["json"] }),
    ...json("object", ["data", "total"]),
    ...PROJECT,
    allProjects: flag("all projects, in separate rows", { conflicts: ["project"] }),
  },
  examples: ["attune usage --month 2026-11 --group-by key,model --csv"],
  findMistake: ({ month, from, to }) =>
    month !== undefined && (from ?? to) !== undefined ? "--month goes without --from and --to" : undefined,
  async run(admin, { month, groupBy, csv, json: isJson, project, allProjects, ...options }) {
    const form = csv ? "csv" : isJson ? "json" : "table";
    const to = month?.to ?? options.to ?? new Date();
    const from = month?.from ?? options.from ?? new Date(to.getTime() - DEFAULT_MS);
    if (from >= to) fail("--from must be before --to");
    const problem = findGroupProblem(groupBy);
    if (problem !== undefined) fail(`--group-by ${problem}`);
    const time = { from: timestampFromDate(from), to: timestampFromDate(to) };
    const read = async (id: string, dimensions: readonly UsageDimension[]) => {
      const messages = dimensions.map((dimension) => USAGE_DIMENSION_MESSAGES[dimension]);
      return usageFromMessage(await admin.getUsage({ project: id, ...time, groupBy: messages }));
    };
    if (!allProjects) return printReport(await read(project, groupBy), { groupBy, form });
    const others = groupBy.filter((dimension) => dimension !== "project");
    const reports = [];
    for (const { id, name } of await readProjects(admin)) reports.push({ name, report: await read(id, others) });
    return printReport(mergeUsage(reports), { groupBy: ["project", ...others], form });
  },
});

interface ReportForm {
  readonly groupBy: readonly UsageDimension[];
  readonly form: "table" | "csv" | "json";
}

function printReport(report: UsageReport, { groupBy, form }: ReportForm): void {
  const rows = usageRows(report, groupBy);
  const total: Readonly<Record<string, number | null>> = nameFigures(report.total);
  if (form === "csv") process.stdout.write(usageCsv(report, groupBy));
  else if (form === "json") printJson({ data: rows, total, ...nameShadow(report.shadow) });
  else {
    const last = groupBy.length === 0 ? [] : [{ ...total, [groupBy[0] ?? ""]: "total" }];
    const shown = groupBy.length === 0 ? [total] : [...rows, ...last];
    // A table of all figures is wider than most terminals, and most are of what few projects have.
    const figures = Object.keys(total).filter((name) => name === "calls" || shown.some((row) => isTold(row[name])));
    const headings = [...groupBy, ...figures];
    printTable(
      headings,
      shown.map((row) => headings.map((heading) => cellOf(row, heading))),
    );
    if (report.shadow !== undefined) print(`\nshadow trials: ${describeShadow(report.shadow)}`);
  }
}

function isTold(value: string | number | null | undefined): boolean {
  return value !== null && value !== undefined && value !== 0;
}

/** LatencyMetrics and costs are told with the digits that they have. */
function cellOf(row: Readonly<Record<string, string | number | null>>, heading: string): string {
  const value = row[heading];
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (heading.endsWith("_ms")) return value.toFixed(0);
  return heading.endsWith("_usd") ? nanosToUsd(value * NANOS_PER_USD, 6) : String(value);
}

function readDimensions(text: string): readonly UsageDimension[] {
  const names = text.split(",");
  return names.map((name, at) => {
    const dimension = USAGE_DIMENSIONS.find((known) => known === name);
    if (dimension !== undefined && names.indexOf(name) === at) return dimension;
    throw new UsageError(`must have some of ${USAGE_DIMENSIONS.join(", ")}, each once`);
  });
}
