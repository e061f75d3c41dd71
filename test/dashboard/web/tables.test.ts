import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const DASHBOARD = join(ROOT, "src", "dashboard");
const GUIDE = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");

/** Files of the pages that describe a table; that of the type is none. */
function describingFiles(): readonly string[] {
  return globSync("{web,features/*/web}/**/*.tsx", { cwd: DASHBOARD })
    .filter((file) => file !== join("web", "parts", "data-table.tsx"))
    .filter((file) => readFileSync(join(DASHBOARD, file), "utf8").includes("TableDescription<"))
    .map((file) => file.replaceAll("\\", "/"));
}

describe("Tables of the dashboard in CONTRIBUTING", () => {
  it("names the file of each table", () => {
    const files = describingFiles();
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((file) => !GUIDE.includes(file.replace(/^features\//, "")))).toEqual([]);
  });

  it("names no file that describes none", () => {
    const named = [...GUIDE.slice(GUIDE.indexOf("### Tables of the dashboard")).matchAll(/`([\w./-]+\.tsx)`/g)];
    const places = named.map(([, file = ""]) => file.replace(/^src\/dashboard\//, ""));
    const known = new Set([
      ...describingFiles().map((file) => file.replace(/^features\//, "")),
      ...["web/parts/data-table.tsx", "history/web/list/request-columns.tsx"],
    ]);
    expect(places.filter((place) => !known.has(place))).toEqual([]);
  });
});
