import { describe, expect, it } from "vitest";
import { describeEvent } from "../../../../../../src/dashboard/features/workloads/web/one/event-description.ts";

const CASES: readonly [kind: string, detail: Record<string, unknown>, title: string, text: string][] = [
  [
    "switched",
    { family: "tag:poems", from: "base", to: "poet", worths: [0.5, 0.9], doubts: [0.1, 0.05], rewards: 41 },
    "Switched to poet in poems",
    "After 41 rewards: poet has an estimated reward of 0.90 (0.80 – 1.00), base has 0.50 (0.30 – 0.70).",
  ],
  [
    "switched",
    { family: "tag:poems", from: "base", to: "poet", worths: [0.75, 0.8], doubts: [0.04, 0.3], rewards: 24 },
    "Exploring poet in poems",
    "After 24 rewards: poet has an estimated reward of 0.80 (0.21 – 1.00), base has 0.75 (0.67 – 0.83). The difference is not significant yet.",
  ],
  [
    "switched",
    { family: "auto:plain", from: "a", to: "b" },
    "Switched to b in No instructions, no tools",
    "Before, it was a.",
  ],
  [
    "switched",
    { family: "auto:0123456789abcdef", from: "a", to: "b", worths: [null, 0.9], doubts: [null, 0.05], rewards: 20 },
    "Switched to b in Unnamed 01234567",
    "After 20 rewards: b has an estimated reward of 0.90 (0.80 – 1.00), a answered before.",
  ],
  [
    "switched",
    { family: "tag:sums", from: "clerk", to: "base", worths: [0.82, 0.8], doubts: [0.1, 0.05], rewards: 240 },
    "Switched to base in sums",
    "After 240 rewards: base has an estimated reward of 0.80 (0.70 – 0.90), clerk has 0.82 (0.62 – 1.00). Base wins when the difference is uncertain.",
  ],
  [
    "closed",
    { rewards: 120.4, overdrawn: [{ name: "complaints", loss: 4.21, budget: 2.6 }] },
    "Returned to base",
    "Regret budget exceeded after 120 rewards (Complaints: 4.2 of 2.6 allowed). Only base answers until there is room again.",
  ],
  [
    "closed",
    { rewards: 1 },
    "Returned to base",
    "Regret budget exceeded after 1 reward (not recorded). Only base answers until there is room again.",
  ],
  [
    "closed",
    { rewards: 50, overdrawn: [{ name: "metric:politeness", loss: 3, budget: 2.6 }] },
    "Returned to base",
    "Regret budget exceeded after 50 rewards (politeness: 3.0 of 2.6 allowed). Only base answers until there is room again.",
  ],
  [
    "constraint",
    {
      model: "poet",
      broken: [{ metric: "words", relation: "atMost", bound: 100, mean: 180.3333333, values: 12, isBroken: true }],
    },
    "poet breaks a bound",
    "It no longer answers instead of the base model: mean words is 180.3 over 12 values, the bound is at most 100.",
  ],
  [
    "constraint",
    { model: "poet", broken: [] },
    "poet meets every bound",
    "It may answer instead of the base model again.",
  ],
  [
    "controls",
    { changes: { metrics: [{ name: "words", weight: 0, direction: "min", atMost: 100 }, { name: "ok" }] }, by: "k" },
    "Controls changed",
    "k changed: metrics: words weight 0, better when smaller, at most 100; ok default.",
  ],
  [
    "divided",
    { family: "auto:plain", outcome: "won", clusters: 16, rewards: 412 },
    "Split No instructions, no tools",
    "16 groups of prompts, 412 rewards: groups predict feedback better. Attune now treats each group as its own kind of prompt.",
  ],
  [
    "divided",
    { family: "auto:0123456789abcdef", outcome: "lost", clusters: 9, rewards: 5000 },
    "Kept Unnamed 01234567 together",
    "9 groups of prompts, 5,000 rewards: groups do not predict feedback better.",
  ],
  [
    "switched",
    { family: "auto:0123456789abcdef#1764000000.3", from: "clerk", to: "poet" },
    "Switched to poet in Unnamed 01234567, group 4",
    "Before, it was clerk.",
  ],
  ["reset", { by: "a@example.com" }, "Reset", "a@example.com reset the learned state."],
  ["reset", {}, "Reset", "Someone at the command line reset the learned state."],
  [
    "controls",
    { changes: { mode: "on", hold: "pinned", pinned: "poet", excluded: ["clerk"] }, by: "a@example.com" },
    "Controls changed",
    "a@example.com changed: mode on; pinned to poet; excluded clerk.",
  ],
  [
    "controls",
    { changes: { mode: null, hold: null, pinned: null, excluded: null } },
    "Controls changed",
    "Someone at the command line changed: mode inherited; hold inherited; no model excluded.",
  ],
  [
    "begun",
    { priors: { poet: 0.12, clerk: -0.3 } },
    "Started",
    "Starting estimates against base, from the project's other workloads and the configuration: poet +0.12, clerk −0.30.",
  ],
  ["begun", { priors: {} }, "Started", "Nothing is known about any model yet."],
  [
    "selector",
    { isProven: true, rewards: 61, basis: "draws", observations: 57.6, value: 0.871, low: 0.756, high: 0.94 },
    "Selector is proven",
    "After 61 rewards, the selector picks the better of two answers in 87.1% of cases (75.6% to 94%), over 58 randomly chosen answers. It now chooses when learning is on.",
  ],
  [
    "selector",
    { isProven: false, rewards: 900, basis: "pairs", observations: 80, value: 0.7, low: 0.6, high: 0.8 },
    "Selector is no longer proven",
    "After 900 rewards, the selector picks the better of two answers in 70% of cases (60% to 80%), over 80 pairs with feedback on both. The built-in rules choose again.",
  ],
  [
    "selector",
    { isProven: false, rewards: 1200, basis: "draws", observations: 0, value: 0.5, low: 0.02, high: 0.98 },
    "Selector is measured again",
    "After 1,200 rewards: preferences may have changed. The built-in rules choose until the selector is proven again.",
  ],
];

describe("describeEvent()", () => {
  it.each(CASES)("says of %s %j: %s", (kind, detail, title, text) => {
    expect(describeEvent({ kind, detail, isOfProject: false })).toEqual({ title, text });
  });

  it("says whether the whole project is meant, and shows what it does not know by its name", () => {
    const words = { detail: { changes: { mode: "off" } }, isOfProject: true };
    expect(describeEvent({ kind: "controls", ...words }).title).toBe("Controls of the project changed");
    expect(describeEvent({ kind: "from-tomorrow", ...words })).toEqual({ title: "from-tomorrow", text: "" });
  });

  it("shows what stored texts hide, and has words for details that are not as they should be", () => {
    const detail = {
      model: "a\u202eb",
      family: "tag:c\u0000d",
      changes: 7,
      priors: [1],
      overdrawn: [null, 3],
      worths: "x",
    };
    for (const kind of [
      "begun",
      "switched",
      "closed",
      "reopened",
      "drift",
      "metrics-full",
      "unreadable",
      "rebuilt",
      "selector",
      "controls",
    ]) {
      const { title, text } = describeEvent({ kind, detail, isOfProject: false });
      for (const hidden of ["\0", "\u202e", "undefined", "NaN", "[object"])
        expect(`${title} ${text}`).not.toContain(hidden);
    }
  });
});
