import { describe, expect, it } from "vitest";
import { FiguresSchema } from "../../gen/attune/usage/v1/figures_pb.ts";
import { MEASURES, SHOWN } from "../../src/figures/measures.ts";
import { columnOf, REPORT_ROWS } from "../../src/figures/usage.ts";

describe("MEASURES", () => {
  it("has the figures of reports as figures.proto has them; npm run generate writes it", () => {
    const rows = REPORT_ROWS.map(({ field, number }) => `${field} = ${number}`);
    expect(FiguresSchema.fields.map(({ name, number }) => `${name} = ${number}`).sort()).toEqual(rows.sort());
  });

  it("has each number, each column of reports and each column of the page once", () => {
    const columns: readonly string[] = SHOWN.map((name) => MEASURES[name].page.column);
    for (const names of [REPORT_ROWS.map(({ number }) => number), REPORT_ROWS.map(columnOf), columns]) {
      expect(new Set<unknown>(names).size).toBe(names.length);
    }
  });
});
