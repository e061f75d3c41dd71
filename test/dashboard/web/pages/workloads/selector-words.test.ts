import { describe, expect, it } from "vitest";
import { selectorWords } from "../../../../../src/dashboard/web/pages/workloads/one/selector-words.ts";

const FIGURES = {
  ...{ rewards: 1200, isProven: true },
  accuracy: { basis: "draws", observations: 340.2, value: 0.871, low: 0.756, high: 0.94 },
} as const;
const ON = { mode: "on", hold: null } as const;
const LEARNED =
  "Learned from 1,200 rewards of answers that were chosen among several, and of others of those that people have looked at.";
const RIGHT =
  "Of two answers that differ it prefers the better one in 87.1% of the cases, 95 % within 75.6% to 94%, by";

describe("selectorWords()", () => {
  it("says how well it chooses, by what, and that it does", () => {
    expect(selectorWords(FIGURES, ON)).toBe(`${LEARNED} ${RIGHT} 340 answers that chance chose. So it chooses.`);
    const { accuracy } = FIGURES;
    expect(selectorWords({ ...FIGURES, accuracy: { ...accuracy, basis: "pairs", observations: 1 } }, ON)).toBe(
      `${LEARNED} ${RIGHT} 1 pair of which both have feedback. So it chooses.`,
    );
  });

  it("says why it does not", () => {
    const ending = (words: string) => words.slice(words.lastIndexOf(". ") + 2);
    expect(ending(selectorWords(FIGURES, { mode: "observe", hold: null }))).toBe(
      "It would choose if learning were on.",
    );
    expect(ending(selectorWords(FIGURES, { mode: "on", hold: { kind: "frozen" } }))).toBe(
      "It would choose if the workload were not frozen.",
    );
    expect(ending(selectorWords(FIGURES, { mode: "on", hold: { kind: "pinned" } }))).toBe("So it chooses.");
    const unproven = { ...FIGURES, isProven: false };
    expect(ending(selectorWords(unproven, ON))).toMatch(/^That does not prove it yet \(.*\): the rules choose\.$/);
    expect(selectorWords({ ...unproven, accuracy: { ...FIGURES.accuracy, observations: 0 } }, ON)).toContain(
      "How well it chooses was not measured yet",
    );
  });
});
