import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { anchor, table } from "../../scripts/reference/markdown.ts";

const docs = join(import.meta.dirname, "..", "..", "docs");
const pages = globSync("reference/*.md", { cwd: docs });

function anchorsOf(file: string): ReadonlySet<string> {
  const headings = readFileSync(file, "utf8").matchAll(/^#+ (.*)$/gm);
  return new Set([...headings].map(([, heading = ""]) => anchor(heading)));
}

function isBroken(page: string, link: string): boolean {
  const [path = "", name] = link.split("#");
  const file = path === "" ? join(docs, page) : join(docs, dirname(page), path);
  return !existsSync(file) || (name !== undefined && !anchorsOf(file).has(`#${name}`));
}

describe("the reference", () => {
  it.each(pages)("has no broken link in %s", (page) => {
    // Between backticks there is no link, but in patterns of models what looks like one.
    const text = readFileSync(join(docs, page), "utf8").replace(/`[^`\n]*`/g, "");
    const links = new Set([...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link));
    expect([...links].filter((link) => isBroken(page, link))).toEqual([]);
  });

  it("has a page for each source", () => {
    const names = [
      "README",
      "commands",
      "configuration",
      "errors",
      "events",
      "headers",
      "http",
      "log",
      "metrics",
      "roles",
      "rpc",
      "servers",
    ];
    expect(pages.map((page) => page.slice("reference/".length, -".md".length)).sort()).toEqual(names);
  });
});

describe("table()", () => {
  it("keeps a cell in its line, and markup of HTML in code alone", () => {
    expect(table(["a"], [["x | y\n  z <b> `<c>`"]])).toBe("| a |\n| --- |\n| x \\| y z &lt;b> `<c>` |");
  });
});
