import { describe, expect, it } from "vitest";
import { happeningWords } from "../../../../../src/dashboard/web/pages/workloads/one/happening-words.ts";

const CASES: readonly [kind: string, detail: Record<string, unknown>, title: string, text: string][] = [
  [
    "switched",
    { family: "tag:poems", from: "base", to: "poet", worths: [0.5, 0.9], doubts: [0.1, 0.05], rewards: 41 },
    "Switched to poet in poems",
    "After 41 rewards in it, poet is thought to be worth 0.90 ± 0.10 there, and base 0.50 ± 0.20.",
  ],
  [
    "switched",
    { family: "auto:plain", from: "a", to: "b" },
    "Switched to b in No instructions, no tools",
    "It was a before.",
  ],
  [
    "switched",
    { family: "auto:0123456789abcdef", from: "a", to: "b", worths: [null, 0.9], doubts: [null, 0.05], rewards: 20 },
    "Switched to b in Unnamed 01234567",
    "After 20 rewards in it, b is thought to be worth 0.90 ± 0.10 there, and it was a before.",
  ],
  [
    "switched",
    { family: "tag:sums", from: "clerk", to: "base", worths: [0.82, 0.8], doubts: [0.1, 0.05], rewards: 240 },
    "Switched to base in sums",
    "After 240 rewards in it, base is thought to be worth 0.80 ± 0.10 there, and clerk 0.82 ± 0.20. Doubt counts against whoever is not base.",
  ],
  [
    "closed",
    { rewards: 120.4, overdrawn: [{ name: "complaints", loss: 4.21, budget: 2.6 }] },
    "Returned to base",
    "Complaints may have lost 4.2, and 2.6 may be lost, after 120 rewards. Only base answers until there is room again.",
  ],
  [
    "closed",
    { rewards: 1 },
    "Returned to base",
    "An account was overdrawn, after 1 reward. Only base answers until there is room again.",
  ],
  [
    "closed",
    { rewards: 50, overdrawn: [{ name: "metric:politeness", loss: 3, budget: 2.6 }] },
    "Returned to base",
    "politeness may have lost 3.0, and 2.6 may be lost, after 50 rewards. Only base answers until there is room again.",
  ],
  [
    "constraint",
    {
      model: "poet",
      broken: [{ metric: "words", relation: "atMost", bound: 100, mean: 180.3333333, values: 12, isBroken: true }],
    },
    "poet breaks a bound",
    "It does not answer in base's place: its mean of words is 180.3 over 12 values, and has to be at most 100.",
  ],
  ["constraint", { model: "poet", broken: [] }, "poet keeps every bound", "It may answer in base's place again."],
  [
    "controls",
    { changes: { metrics: [{ name: "words", weight: 0, direction: "min", atMost: 100 }, { name: "ok" }] }, by: "k" },
    "Controls changed",
    "k said: metrics: words weight 0, better when smaller, at most 100; ok like all others.",
  ],
  [
    "divided",
    { family: "auto:plain", outcome: "won", clusters: 16, rewards: 412 },
    "Divided No instructions, no tools",
    "16 groups of prompts were told apart there, and over 412 rewards feedback was predicted better by group: each is a kind of its own now.",
  ],
  [
    "divided",
    { family: "auto:0123456789abcdef", outcome: "lost", clusters: 9, rewards: 5000 },
    "Left Unnamed 01234567 whole",
    "9 groups of prompts were told apart there, and over 5,000 rewards feedback was predicted no better by group than without.",
  ],
  [
    "switched",
    { family: "auto:0123456789abcdef#1764000000.3", from: "clerk", to: "poet" },
    "Switched to poet in Unnamed 01234567, group 4",
    "It was clerk before.",
  ],
  ["reset", { by: "a@example.com" }, "Reset", "a@example.com had it forget what was learned."],
  ["reset", {}, "Reset", "Someone at the command line had it forget what was learned."],
  [
    "controls",
    { changes: { mode: "on", hold: "pinned", pinned: "poet", excluded: ["clerk"] }, by: "a@example.com" },
    "Controls changed",
    "a@example.com said: mode on; pinned to poet; excluded clerk.",
  ],
  [
    "controls",
    { changes: { mode: null, hold: null, pinned: null, excluded: null } },
    "Controls changed",
    "Someone at the command line said: mode as the project or the configuration has it; held as the project has it; nobody excluded.",
  ],
  [
    "begun",
    { priors: { poet: 0.12, clerk: -0.3 } },
    "Begun",
    "With what the project's other workloads and the configuration say of models against base: poet +0.12, clerk −0.30.",
  ],
  ["begun", { priors: {} }, "Begun", "With nothing known of any model."],
  [
    "selector",
    { isProven: true, rewards: 61, basis: "draws", observations: 57.6, value: 0.871, low: 0.756, high: 0.94 },
    "Chooses among several answers",
    "After 61 rewards, what is learned is right in 87.1% of the pairs of answers that differ (95 % within 75.6% to 94%), by 58 answers that chance chose. It chooses from now on where learning is on.",
  ],
  [
    "selector",
    { isProven: false, rewards: 900, basis: "pairs", observations: 80, value: 0.7, low: 0.6, high: 0.8 },
    "Chooses no longer among several answers",
    "After 900 rewards, what is learned is right in 70% of the pairs of answers that differ (95 % within 60% to 80%), by 80 pairs with feedback on both. The rules choose again.",
  ],
  [
    "selector",
    { isProven: false, rewards: 1200, basis: "draws", observations: 0, value: 0.5, low: 0.02, high: 0.98 },
    "Measures the choice among several answers anew",
    "After 1,200 rewards: what is preferred is no longer what was learned, or may have changed since trials ended. The rules choose until it has proved itself.",
  ],
];

describe("happeningWords()", () => {
  it.each(CASES)("says of %s %j: %s", (kind, detail, title, text) => {
    expect(happeningWords({ kind, detail, isOfProject: false })).toEqual({ title, text });
  });

  it("says whether the whole project is meant, and shows what it does not know by its name", () => {
    const words = { detail: { changes: { mode: "off" } }, isOfProject: true };
    expect(happeningWords({ kind: "controls", ...words }).title).toBe("Controls of the project changed");
    expect(happeningWords({ kind: "from-tomorrow", ...words })).toEqual({ title: "from-tomorrow", text: "" });
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
      const { title, text } = happeningWords({ kind, detail, isOfProject: false });
      for (const hidden of ["\0", "\u202e", "undefined", "NaN", "[object"])
        expect(`${title} ${text}`).not.toContain(hidden);
    }
  });
});
