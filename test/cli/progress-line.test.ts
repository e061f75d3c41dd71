import { describe, expect, it } from "vitest";
import { createProgressLine } from "../../src/cli/progress-line.ts";
import type { MoveProgress } from "../../src/store/move/move-database.ts";

/** Shows steps, each a second after the one before. */
function shown(isTerminal: boolean, steps: readonly MoveProgress[]): string {
  let nowMs = 0;
  let text = "";
  const line = createProgressLine({ isTerminal, write: (part) => (text += part), now: () => nowMs });
  for (const step of steps) {
    line.show(step);
    nowMs += 1000;
  }
  line.end();
  return text;
}

const copy = (rows: number, totalRows = 8000): MoveProgress => ({ step: "copy", table: "inference", rows, totalRows });

describe("createProgressLine()", () => {
  it("writes a line every five seconds, and one for the end of each table that has rows", () => {
    const steps = Array.from({ length: 9 }, (_, second) => copy(second * 1000));
    const empty: MoveProgress = { step: "copy", table: "project", rows: 0, totalRows: 0 };
    expect(shown(false, [empty, ...steps])).toBe(
      "copies inference: 1,000 of 8,000, 1,000 rows/s, 7 s left\n" +
        "copies inference: 6,000 of 8,000, 1,000 rows/s, 2 s left\n" +
        "copies inference: 8,000 of 8,000, 1,000 rows/s\n",
    );
  });

  it("writes over the line on a terminal", () => {
    expect(shown(true, [copy(0, 2000), copy(1000, 2000), copy(2000, 2000)])).toBe(
      "\r\u001b[Kcopies inference: 1,000 of 2,000, 1,000 rows/s, 1 s left" +
        "\r\u001b[Kcopies inference: 2,000 of 2,000, 1,000 rows/s\n",
    );
  });

  it("ends a line that is not complete, before an error follows", () => {
    expect(shown(true, [copy(0, 2000), { ...copy(1000, 2000), step: "compare" }])).toBe(
      "\r\u001b[Kcompares inference: 1,000 of 2,000\n",
    );
  });
});
