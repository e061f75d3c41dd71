import { describe, expect, it } from "vitest";
import { splitMatches, startAtMatch } from "../../../../../../src/dashboard/features/history/web/list/split-matches.ts";

describe("splitMatches()", () => {
  it.each([
    [
      "Where is it",
      "WHERE",
      [
        ["Where", true],
        [" is it", false],
      ],
    ],
    [
      "a needle, a Needle",
      "needle",
      [
        ["a ", false],
        ["needle", true],
        [", a ", false],
        ["Needle", true],
      ],
    ],
    ["nothing", "x", [["nothing", false]]],
    ["nothing", "", [["nothing", false]]],
    ["", "x", []],
    // In small letters it is longer than it was.
    ["İ needle", "needle", [["İ needle", false]]],
  ])("splits %j by %j", (text, query, expected) => {
    expect(splitMatches(text, query).map((part) => [part.text, part.isMatch])).toEqual(expected);
  });
});

describe("startAtMatch()", () => {
  it("begins shortly before a match that is far in", () => {
    expect(startAtMatch(`${"x".repeat(100)}needle`, "needle")).toBe(`…${"x".repeat(30)}needle`);
    expect(startAtMatch(`${"x".repeat(60)}needle`, "needle")).toBe(`${"x".repeat(60)}needle`);
  });
});
