import { describe, expect, it } from "vitest";
import { coincidingDashes } from "../../../../src/dashboard/web/parts/coinciding-lines.ts";

const PLOT = { domain: [0, 1] as const, heightPx: 200 };

const dashesOf = (lines: Readonly<Record<string, readonly (number | null)[]>>) => {
  const names = Object.keys(lines);
  const rows = [0, 1, 2, 3].map((at) => Object.fromEntries(names.map((name) => [name, lines[name]?.[at] ?? null])));
  const series = names.map((name) => ({ name }));
  return Object.fromEntries(coincidingDashes(series, rows, PLOT));
};

describe("coincidingDashes()", () => {
  it("leaves lines whole that are apart", () => {
    expect(dashesOf({ a: [0.1, 0.2, 0.3, 0.4], b: [0.5, 0.2, 0.6, 0.7] })).toEqual({});
  });

  it("has each line that lies on others show those through its gaps", () => {
    const equal = [0.5, 0.5, 0.5, 0.5];
    expect(dashesOf({ a: equal, b: equal, c: equal })).toEqual({ b: "6 6", c: "6 12" });
  });

  it("finds lines that are less than two pixels apart, in most of the points that both have", () => {
    // A pixel is 0.005.
    expect(dashesOf({ a: [0.5, 0.5, 0.9, null], b: [0.509, null, 0.905, 0.1] })).toEqual({ b: "6 6" });
    expect(dashesOf({ a: [0.5, 0.5, 0.9, 0.9], b: [0.52, 0.52, 0.92, 0.9] })).toEqual({});
    expect(dashesOf({ a: [0.5, null, null, null], b: [null, 0.5, 0.5, 0.5] })).toEqual({});
  });
});
