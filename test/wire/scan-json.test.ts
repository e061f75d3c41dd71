import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanJson } from "../../src/wire/scan-json.ts";

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
