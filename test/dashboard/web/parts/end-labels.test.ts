import { describe, expect, it } from "vitest";
import { placeEndLabels } from "../../../../src/dashboard/web/parts/end-labels.ts";

const PLOT = { domain: [0, 1] as const, heightPx: 220 };

const place = (ends: Readonly<Record<string, number>>, plot = PLOT) => {
  const series = Object.keys(ends).map((name) => ({ name, label: name }));
  const labels = placeEndLabels(series, [{ at: "1", ...ends }], plot);
  // Where each label stands, from the top.
  return Object.keys(ends).map(
    (name) => plot.heightPx * (1 - (ends[name] ?? 0)) + (labels.get(name)?.shiftPx ?? Number.NaN),
  );
};

describe("placeEndLabels()", () => {
  it("leaves labels at their lines where there is room", () => {
    expect(place({ a: 0.5, b: 0.25 })).toEqual([110, 165]);
  });

  it.each([
    [{ a: 0.5, b: 0.5, c: 0.5 }],
    [{ a: 0, b: 0, c: 0.01 }],
    [{ a: 1, b: 1, c: 0.99, d: 0.98 }],
    [{ a: 0, b: 0.02, c: 0.05, d: 0.06, e: 0.3 }],
  ])("moves those of %o apart, within the chart, in the order of their lines", (ends) => {
    const places = place(ends).toSorted((one, other) => one - other);
    expect(places[0]).toBeGreaterThanOrEqual(0);
    expect(places.at(-1)).toBeLessThanOrEqual(220);
    for (const [at, px] of places.entries()) if (at > 0) expect(px - (places[at - 1] ?? 0)).toBeGreaterThanOrEqual(14);
  });

  it("labels the last value that there is, shortened, and no line without one", () => {
    const series = ["a", "none"].map((name) => ({ name, label: `${name} of a long name of a model` }));
    const rows = [
      { at: "1", a: 1 },
      { at: "2", a: 0.5, none: null },
      { at: "3", a: null },
    ];
    expect([...placeEndLabels(series, rows, PLOT)]).toEqual([
      ["a", { text: "a of a long name …", row: 1, shiftPx: 0 }],
    ]);
  });

  it("labels nothing where one line or many are shown", () => {
    expect(place({ a: 0.5 })).toEqual([Number.NaN]);
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`s${at}`, at / 10]));
    expect(place(many).every(Number.isNaN)).toBe(true);
  });
});
