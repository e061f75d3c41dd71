import { describe, expect, it } from "vitest";
import { checkClaims, findStale, findUnshown, isClaim } from "../../scripts/docs/check-claims.ts";

const CLAIM = { page: "docs/a.md", says: ["Nothing is lost"], shownBy: "test/a.test.ts", title: "loses nothing" };
const FILES: Readonly<Record<string, string>> = {
  "docs/a.md": "Nothing is lost, ever.",
  "test/a.test.ts": 'it("loses nothing", () => {})',
};

describe("claims of the pages of promises", () => {
  it("are each shown by a test or a script that is there", () => {
    expect(checkClaims().findings).toEqual([]);
  });

  it.each([
    "Every wait has a limit.",
    "A wrong key never reaches it.",
    "No call is lost, ever.",
    "It takes 5 µs.",
    "Up to 5 in 100 calls are answered by another model.",
    "Base still gets 2% of those calls.",
  ])("are sentences that promise: %s", (sentence) => {
    expect(isClaim(sentence)).toBe(true);
  });

  it.each([
    "Keep all files on a disk that outlives the process.",
    "Never delete the file of a database that is open.",
    "All calls without instructions are one family, for example.",
    "Apache-2.0.",
    "It then ends with status 1.",
    "They tell each other what they chose.",
  ])("are not instructions, examples and numbers without a unit: %s", (sentence) => {
    expect(isClaim(sentence)).toBe(false);
  });

  it("need a row, but for what stands in code and tables", () => {
    const page = "# All of it\n\nNothing is lost.\n\n| all | 5 ms |\n\n```sh\nkeep --all 5 ms\n```\n";
    expect(findUnshown("docs/a.md", page, [CLAIM])).toEqual([]);
    expect(findUnshown("docs/a.md", page, [])).toEqual([
      "docs/a.md: nothing shows 'Nothing is lost.': weaken it, or name its test in scripts/docs/claims.ts",
    ]);
  });

  it("fail with their sentence, their test or its title", () => {
    const stale = (files: Readonly<Record<string, string>>) => findStale(CLAIM, (path) => files[path]);
    expect(stale(FILES)).toEqual([]);
    expect(stale({ ...FILES, "docs/a.md": "Little is lost." })).toEqual([
      "scripts/docs/claims.ts: docs/a.md no longer says 'Nothing is lost': correct the row",
    ]);
    expect(stale({ "docs/a.md": "Nothing is lost, ever." })).toEqual([
      "scripts/docs/claims.ts: there is no test/a.test.ts",
    ]);
    expect(stale({ ...FILES, "test/a.test.ts": "" })).toEqual([
      "scripts/docs/claims.ts: test/a.test.ts has no 'loses nothing'",
    ]);
  });
});
