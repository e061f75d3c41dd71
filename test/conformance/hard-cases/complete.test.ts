import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ALL = Array.from({ length: 42 }, (_none, index) => index + 1);

const numbersOf = (text: string, pattern: RegExp): Set<number> =>
  new Set([...text.matchAll(pattern)].map(([, number]) => Number(number)));

/** Numbers that names of tests begin with. */
function tested(): Set<number> {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".test.ts"));
  const texts = files.map((name) => readFileSync(join(import.meta.dirname, name), "utf8"));
  return numbersOf(texts.join("\n"), /["`]case (\d+): /g);
}

/** Numbers in the first column of the table. */
function expectedToFail(): Set<number> {
  const page = readFileSync(join(import.meta.dirname, "..", "expected-failures.md"), "utf8");
  return numbersOf(page, /^\| (\d+) \|/gm);
}

describe("the hard cases", () => {
  it("are all there: each is tested, or expected to fail with its reason, and never both", () => {
    const [holds, fails] = [tested(), expectedToFail()];
    expect(ALL.filter((number) => !holds.has(number) && !fails.has(number))).toEqual([]);
    expect([...holds].filter((number) => fails.has(number))).toEqual([]);
    expect([...holds, ...fails].filter((number) => !ALL.includes(number))).toEqual([]);
  });
});
