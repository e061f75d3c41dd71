import { describe, expect, it } from "vitest";
import { selectorWords } from "../../../../../../src/dashboard/features/workloads/web/one/selector-words.ts";

const FIGURES = {
  rewards: 1200,
  isProven: true,
  accuracy: { basis: "draws", observations: 340.2, value: 0.871, low: 0.756, high: 0.94 },
} as const;
const ON = { mode: "on", hold: null } as const;
const LEARNED = "Learned from 1,200 rewards of chosen answers and of answers that people compared them with.";
const RIGHT = "It picks the better of two answers in 87.1% of cases (75.6% to 94%), over";

describe("selectorWords()", () => {
  it("says how well it chooses, by what, and that it does", () => {
    expect(selectorWords(FIGURES, ON)).toBe(`${LEARNED} ${RIGHT} 340 randomly chosen answers. It chooses.`);
    const { accuracy } = FIGURES;
    expect(selectorWords({ ...FIGURES, accuracy: { ...accuracy, basis: "pairs", observations: 1 } }, ON)).toBe(
      `${LEARNED} ${RIGHT} 1 pair with feedback on both. It chooses.`,
    );
  });

  it("says why it does not", () => {
    const ending = (words: string) => words.slice(words.search(/It (is not|would|chooses)/));
    expect(ending(selectorWords(FIGURES, { mode: "observe", hold: null }))).toBe(
      "It would choose if learning were on.",
    );
    expect(ending(selectorWords(FIGURES, { mode: "on", hold: { kind: "frozen" } }))).toBe(
      "It would choose if the workload were not frozen.",
    );
    expect(ending(selectorWords(FIGURES, { mode: "on", hold: { kind: "pinned" } }))).toBe("It chooses.");
    const unproven = { ...FIGURES, isProven: false };
    expect(ending(selectorWords(unproven, ON))).toMatch(/^It is not proven yet: .* The built-in rules choose\.$/);
    expect(selectorWords({ ...unproven, accuracy: { ...FIGURES.accuracy, observations: 0 } }, ON)).toContain(
      "Its accuracy is not measured yet",
    );
  });
});
