import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasLongNumber, scanJson, stringEnd } from "../../src/lib/scan-json.ts";

/** Values of a JSON value: members and items at all levels, and one more for each empty object or array. */
function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const children = Object.values(value);
  return Math.max(1, children.length) + children.reduce((sum: number, child) => sum + countValues(child), 0);
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe("scanJson()", () => {
  it("counts values and levels, and nothing inside of strings", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const limits = { jsonDepth: depthOf(value), jsonValues: countValues(value) };
        expect(scanJson(text, limits)).toBeUndefined();
        if (limits.jsonDepth > 0)
          expect(scanJson(text, { ...limits, jsonDepth: limits.jsonDepth - 1 })).toBe("jsonDepth");
        if (limits.jsonValues > 0) {
          const fewer = { jsonDepth: 100, jsonValues: limits.jsonValues - 1 };
          expect(scanJson(text, fewer)).toBe("jsonValues");
        }
      }),
    );
  });

  it("counts the members of each object by themselves", () => {
    const limits = { jsonDepth: 10, jsonValues: 1000, jsonMembers: 3 };
    const object = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`m:${at}`, [":", {}]]));
    const many = Array.from({ length: 20 }, () => object(3));
    expect(scanJson(JSON.stringify(many), limits)).toBeUndefined();
    expect(scanJson(JSON.stringify([...many, object(4)]), limits)).toBe("jsonMembers");
    expect(scanJson(JSON.stringify({ a: object(3), b: object(3), c: object(3) }), limits)).toBeUndefined();
    expect(scanJson(JSON.stringify({ a: object(3), b: 1, c: object(3), d: 1 }), limits)).toBe("jsonMembers");
    expect(scanJson(JSON.stringify(Array.from({ length: 500 }, () => 1)), limits)).toBeUndefined();
  });

  it.each([
    ["a quote that is escaped", '["\\"[[["]'],
    ["a backslash before the quote", '["\\\\",[]]'],
    ["a string without an end", '["[[[[['],
  ])("is not misled by %s", (_what, text) => {
    expect(scanJson(text, { jsonDepth: 2, jsonValues: 3 })).toBeUndefined();
  });
});

/**
 * What is read of a JSON text, character by character: the positions outside of strings, and where each string ends.
 */
function readPlainly(text: string): { readonly outside: string; readonly ends: ReadonlyMap<number, number> } {
  const ends = new Map<number, number>();
  let outside = "";
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '"') {
      outside += text[at];
      continue;
    }
    const start = at + 1;
    for (at = start; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at += 1;
    ends.set(start, Math.min(at, text.length));
    outside += "s";
  }
  return { outside, ends };
}

/**
 * Texts of quotes, backslashes and numbers, JSON or not, some with strings that are long, or have long parts without a
 * quote.
 */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        '\\"',
        "\\\\",
        "\\",
        "1",
        "23",
        "4.5",
        "6e7",
        "8E",
        "-",
        "[",
        "]",
        ",",
        ": ",
        "e",
        "x".repeat(40),
      ),
      fc.constantFrom("123456789012345", "1234567890123456", "0.12345678901234", "0.1234567890123", "..............."),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

describe("stringEnd()", () => {
  it("finds where each string ends, however many quotes and backslashes are in it", () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const [start, end] of readPlainly(text).ends) expect(stringEnd(text, start)).toBe(end);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("hasLongNumber()", () => {
  it("finds numbers of 16 characters or with an exponent, and none inside of strings", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const expected = /\d[\d.]{15}|\d[eE]|\d\.+[eE]/.test(readPlainly(text).outside);
        expect(hasLongNumber(text)).toBe(expected);
        const tally = { values: 0, hasLongNumber: false };
        expect(scanJson(text, { jsonDepth: 1000, jsonValues: 1000 }, tally)).toBeUndefined();
        expect(tally.hasLongNumber).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });
});
