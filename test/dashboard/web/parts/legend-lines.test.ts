import { describe, expect, it } from "vitest";
import { legendLines } from "../../../../src/dashboard/web/parts/legend-lines.ts";

describe("legendLines()", () => {
  it.each([
    [[], 1],
    [["calls", "errors", "tokens"], 1],
    [["upstream error", "rate limited", "timeout"], 2],
    [["a name that is as long as the whole of a screen and longer", "short"], 2],
  ])("%s: %s", (labels, lines) => expect(legendLines(labels)).toBe(lines));
});
