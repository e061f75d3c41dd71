import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkClaims, findStale, findUnshown, isClaim } from "../../scripts/docs/check-claims.ts";
import { CLAIMED_PAGES, CLAIMS } from "../../scripts/docs/claims.ts";

const CLAIM = { page: "docs/a.md", says: ["Nothing is lost"], shownBy: "test/a.test.ts", title: "loses nothing" };
const FILES: Readonly<Record<string, string>> = {
  "docs/a.md": "Nothing is lost, ever.",
  "test/a.test.ts": 'it("loses nothing", () => {})',
};

describe("claims of the pages of promises", () => {
  it("are each shown by a test or a script that is there", () => {
    expect(checkClaims().findings).toEqual([]);
  });

  it.each(CLAIMED_PAGES)("fail in %s without a row", (page) => {
    const text = readFileSync(join(import.meta.dirname, "..", "..", page), "utf8");
    const added = ["Any SDK of the moon works.", "It never sleeps.", "All moons shine.", "Each moon is 5% of the sea."];
    const findings = findUnshown(page, `${text}\n\n${added.join(" ")}\n`, CLAIMS);
    expect(findings).toHaveLength(added.length);
    for (const [at, sentence] of added.entries()) expect(findings[at]).toContain(sentence);
  });

  it.each([
    "Every wait has a limit.",
    "A wrong key never reaches it.",
    "No call is lost, ever.",
    "It takes 5 µs.",
    "Up to 5 in 100 calls are answered by another model.",
    "Base still gets 2% of those calls.",
    "No request is lost.",
    "None of your prompts leaves the machine.",
    "It is twice as fast as others.",
    "It costs less than a millisecond of CPU.",
    "Right answers rise from 62 to 94 in a hundred.",
    "It serves 10,000 requests a second.",
    "A month costs $20.",
    "It saves 40 percent.",
    "It is 3x faster.",
    "Never has a record been lost.",
    "One in ten calls is tried.",
    "To all callers it says the same.",
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
