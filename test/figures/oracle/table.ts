import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { ENGINES } from "../../support/database.ts";
import type { Comparison } from "./compare.ts";
import type { History } from "./history.ts";

/** The histories that one engine was given, and what was compared with them. */
interface Run {
  readonly engine: (typeof ENGINES)[number];
  readonly histories: readonly History[];
  readonly comparison: Comparison;
}
export const RUNS: Run[] = [];

/** The page that has the table of what was compared. ORACLE_WRITE=1 with the slow test writes it. */
const PAGE = join(import.meta.dirname, "..", "..", "..", "docs", "notes", "figures.md");
const HEADING = "| figures of | on SQLite | on PostgreSQL | differences |\n| --- | --- | --- | --- |\n";

/** Compares the sources of figures with those that the page lists, or writes its table; once all runs have ended. */
export function checkTable(): void {
  const sources = [...new Set(RUNS.flatMap(({ comparison }) => [...comparison.figuresOf.keys()]))].sort();
  const lines = sources.map((source) =>
    lineOf(`\`${source}\``, ({ figuresOf, differences }) => ({
      figures: figuresOf.get(source) ?? 0,
      differences: differences.filter(({ place }) => place.startsWith(source)).length,
    })),
  );
  const all = lineOf("all", ({ figures, differences }) => ({ figures, differences: differences.length }));
  const table = [...lines, all];
  const page = readFileSync(PAGE, "utf8");
  const [before = "", after = ""] = page.split(HEADING);
  const [told = ""] = after.split("\n\n", 1);
  if (process.env["ORACLE_WRITE"] !== undefined) {
    writeFileSync(PAGE, `${before}${HEADING}${table.join("\n")}${after.slice(told.length)}`);
    const records = ENGINES.map((engine) => sum(runsOn(engine), ({ histories }) => sum(histories, countRecords)));
    process.stdout.write(`${RUNS.flatMap(({ histories }) => histories).length} histories, records: ${records}\n`);
    return;
  }
  const names = (rows: readonly string[]) => rows.map((row) => row.split(" | ")[0]);
  expect(names(told.split("\n"))).toEqual(names(table));
}

function lineOf(name: string, count: (comparison: Comparison) => Record<"figures" | "differences", number>): string {
  const figures = ENGINES.map((engine) => sum(runsOn(engine), ({ comparison }) => count(comparison).figures));
  const differences = sum(RUNS, ({ comparison }) => count(comparison).differences);
  return `| ${[name, ...figures.map((each) => each.toLocaleString("en")), differences].join(" | ")} |`;
}

function runsOn(engine: Run["engine"]): readonly Run[] {
  return RUNS.filter((run) => run.engine === engine);
}

function countRecords({ calls, feedback, refused, trials, run }: History): number {
  return sum([calls, feedback, refused, trials, run.answers], ({ length }) => length);
}

function sum<Item>(items: readonly Item[], pick: (item: Item) => number): number {
  return items.reduce((total, item) => total + pick(item), 0);
}
