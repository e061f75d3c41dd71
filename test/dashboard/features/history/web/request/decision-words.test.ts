import { describe, expect, it } from "vitest";
import {
  type DecisionData,
  decisionWords,
} from "../../../../../../src/dashboard/features/history/web/request/decision-words.ts";

const DECISION: DecisionData = {
  mode: "on",
  family: "tag:support",
  policy: "baht-g/19",
  version: 3,
  choice: "best",
  kept: null,
  hasRoom: true,
  controlChance: 0.02,
  exploreChance: 0.05,
  base: "base",
  best: "good",
  chosen: "good",
  arms: [],
  asked: null,
  pendingDecisions: null,
};

describe("decisionWords()", () => {
  it.each<[string, Partial<DecisionData>, RegExp[]]>([
    ["its estimate", {}, [/^good was chosen because it has the best estimate/]],
    [
      "base's estimate",
      { best: "base", chosen: "base" },
      [/^base is base\. It was chosen because no other model is better/],
    ],
    [
      "control",
      { choice: "control", chosen: "base" },
      [/^base was chosen as control: base answers 2% of such requests/],
    ],
    // .98 times .05
    ["exploration", { choice: "explored" }, [/^good was chosen to explore: 4.9% of such requests/]],
    [
      "the guard",
      { hasRoom: false, best: "base", chosen: "base" },
      [/regret budget was exceeded: only base answers then/],
    ],
    [
      "what is not learned yet",
      { hasRoom: false, pendingDecisions: 7, best: "base", chosen: "base" },
      [/^base was chosen because 7 answers of other models had no feedback yet/],
    ],
    ["a hold", { choice: "only", chosen: "base" }, [/no other model may answer/]],
    ["a pin", { choice: "only" }, [/^good was chosen because the workload is pinned/]],
    [
      "observing",
      { mode: "observe", kept: "observed" },
      [/best/, /^The workload is in observe mode: base \(base\) answered/],
    ],
    ["translation", { kept: "unfit", choice: "only", chosen: "base" }, [/no other model/, /losing a part of it/]],
    [
      "what is not read yet",
      { kept: "unread", choice: "only", chosen: "base" },
      [/hadn't loaded the workload's learned state/],
    ],
    ["several answers", { asked: ["good", "base"] }, [/best estimate/, /asked good and base for an answer each/]],
    ["a conversation", { kept: "conversation", choice: "only" }, [/pinned to it, or/, /tool loop/]],
    ["a session", { kept: "session", choice: "only" }, [/pinned to it, or/, /^The session continued/]],
  ])("names %s as the reason", (_, changes, expected) => {
    const words = decisionWords({ ...DECISION, ...changes });
    expect(words).toHaveLength(expected.length + 1);
    for (const [at, pattern] of expected.entries()) expect(words[at]).toMatch(pattern);
    expect(words.at(-1)).toBe("Kind of prompt: support.");
  });
});
