import { readFileSync, writeFileSync } from "node:fs";
import { replacePart, table } from "../scripts/reference/markdown.ts";

const COMPATIBILITY = "docs/compatibility.md";

/** The rows of a suite's part of the page. The first cell of a row is its name. */
interface Part {
  /** The page; docs/compatibility.md if absent. */
  readonly page?: string;
  readonly suite: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Writes rows into the suite's part of a page; those that were not run stay as they are. */
export function writePart({ page: file = COMPATIBILITY, suite, headings, rows }: Part): void {
  const [head = "", rule = "", ...lines] = table(headings, rows).split("\n");
  const page = replacePart(readFileSync(file, "utf8"), suite, (known) => {
    const former = known
      .slice(known.indexOf(`${rule}\n`) + 1)
      .split("\n")
      .filter(isRow);
    const all = new Map([...former, ...lines].map((line) => [line.split(" | ")[0], line]));
    return [head, rule, ...[...all.values()].sort()].join("\n");
  });
  writeFileSync(file, page);
}

function isRow(line: string): boolean {
  return line.startsWith("| ") && !line.startsWith("| ---");
}
