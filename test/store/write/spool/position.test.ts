import { describe, expect, it } from "vitest";
import { BEGINNING, isReached, segmentName, segmentNumber } from "../../../../src/store/write/spool/position.ts";

describe("isReached()", () => {
  it.each([
    [[1, 5], [1, 5], true],
    [[1, 4], [1, 5], true],
    [[1, 6], [1, 5], false],
    [[1, 9], [2, 0], true],
    [[2, 0], [1, 9], false],
  ])("tells of %j before %j: %s", ([segment = 0, offset = 0], [throughSegment = 0, throughOffset = 0], expected) => {
    expect(isReached({ segment, offset }, { segment: throughSegment, offset: throughOffset })).toBe(expected);
  });

  it("has the beginning before everything", () => {
    expect(isReached(BEGINNING, { segment: 1, offset: 0 })).toBe(true);
    expect(isReached({ segment: 1, offset: 0 }, BEGINNING)).toBe(false);
  });
});

describe("segmentName()", () => {
  it("gives names that sort as their numbers do", () => {
    expect([1, 10, 4_294_967_296].map(segmentName)).toEqual([
      "0000000001.spool",
      "0000000010.spool",
      "4294967296.spool",
    ]);
  });
});

describe("segmentNumber()", () => {
  it.each([
    ["0000000042.spool", 42],
    ["42.spool", undefined],
    ["0000000042.spool.old", undefined],
    ["lock", undefined],
    ["rejected-0192.spool", undefined],
  ])("reads %s as %s", (name, expected) => {
    expect(segmentNumber(name)).toBe(expected);
  });
});
