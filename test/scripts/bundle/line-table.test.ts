import { expect, it } from "vitest";
import { findSource, lineTableOf } from "../../../scripts/bundle/line-table.ts";

// Base64 VLQ by hand: a segment is column, source, line, column, each as the difference to the one before; C is 1, D is
// -1, E is 2, G is 3, I is 4, K is 5.
const table = lineTableOf({
  sources: ["a.ts", "b.ts"],
  // Line 1: column 1 is a.ts:1, column 5 is a.ts:2, column 8 is a.ts:2 again. Line 2: nothing. Line 3: column 3 is
  // b.ts:3, column 8 belongs to no source, and column 9 is a.ts:2.
  mappings: "AAAA,IACE,GAAC;;ECCA,K,CDDD",
});

it("finds the line of the source of each place", () => {
  const places: [line: number, column: number][] = [
    [1, 1],
    [1, 4],
    [1, 5],
    [1, 40],
    [3, 3],
    [3, 9],
  ];
  expect(places.map(([line, column]) => findSource(table, line, column))).toEqual([
    "a.ts:1",
    "a.ts:1",
    "a.ts:2",
    "a.ts:2",
    "b.ts:3",
    "a.ts:2",
  ]);
});

it("knows no source of what the bundler added", () => {
  expect([findSource(table, 2, 1), findSource(table, 3, 1), findSource(table, 4, 1)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it("has a row for each line of a source, and none for its parts", () => {
  expect([...table.rows]).toEqual([1, 1, 0, 1, 1, 5, 0, 2, 3, 3, 1, 3, 3, 9, 0, 2]);
});
