import { describe, expect, it } from "vitest";
import {
  draftProblem,
  type OwnSettings,
  readChanges,
  rebase,
  toDraft,
} from "../../../../../../src/dashboard/features/workloads/web/controls/control-draft.ts";
import { emptyMetric } from "../../../../../../src/dashboard/features/workloads/web/controls/metric-draft.ts";
import { NO_CONTROLS } from "../../../../../../src/vocabulary/control-fields.ts";

const NOTHING = NO_CONTROLS;

describe("readChanges()", () => {
  const draft = toDraft(NOTHING);

  it("is nothing where nothing was changed, in whatever order models are listed", () => {
    expect(readChanges(draft, NOTHING)).toEqual({});
    const own = { ...NOTHING, excluded: ["a", "b"] };
    expect(readChanges({ ...toDraft(own), excluded: ["b", "a"] }, own)).toEqual({});
  });

  it("sends only what is new", () => {
    expect(readChanges({ ...draft, mode: "on" }, NOTHING)).toEqual({ mode: "on" });
    expect(readChanges({ ...draft, hold: "pinned", pinned: "a" }, NOTHING)).toEqual({ hold: "pinned", pinned: "a" });
    expect(readChanges({ ...draft, excluded: ["a"] }, NOTHING)).toEqual({ excluded: ["a"] });
  });

  it("takes back what was said, and unpins with another hold", () => {
    const own = { ...NOTHING, mode: "on", hold: "pinned", pinned: "a", excluded: ["b"] } as const;
    expect(readChanges(draft, own)).toEqual({ mode: null, hold: null, pinned: null, excluded: null });
    expect(readChanges({ ...toDraft(own), hold: "frozen" }, own)).toEqual({ hold: "frozen", pinned: null });
    expect(readChanges({ ...toDraft(own), pinned: "c" }, own)).toEqual({ hold: "pinned", pinned: "c" });
  });

  it("sends the objective and the shadow trials, numbers as numbers, and empty fields as inherited", () => {
    const own: OwnSettings = {
      ...NOTHING,
      objective: "cost",
      shadowShare: 0.1,
      shadowJudge: "a",
      shadowRubric: "Short.",
    };
    expect(readChanges(toDraft(own), own)).toEqual({});
    const changed = {
      ...toDraft(own),
      rewardPerPrice: "0.01",
      shadowShare: " 0.2",
      shadowUsdPerDay: "5",
      shadowJudge: "",
      unit: "request" as const,
    };
    const changes = { rewardPerPrice: 0.01, shadowShare: 0.2, shadowUsdPerDay: 5, shadowJudge: null, unit: "request" };
    expect(readChanges(changed, own)).toEqual(changes);
    expect(rebase(changed, toDraft(own), toDraft({ ...own, shadowShare: 0.3 })).clashes).toEqual([
      "the share of shadow trials",
    ]);
  });

  it("sends the metrics that are new, are otherwise, or are no more, and no others", () => {
    const metrics = [
      { name: "tone", weight: 0.5 },
      { name: "words", atMost: 100 },
      { name: "ok" as const, atLeast: 1 },
    ];
    const own = { ...NOTHING, metrics };
    const [tone = emptyMetric(""), words = emptyMetric("")] = toDraft(own).metrics;
    const changed = [
      { ...words, atMost: "1e2", direction: "min" as const },
      { ...tone, weight: " 0.50" },
    ];
    const added = { ...emptyMetric("cost"), weight: "0", atLeast: "-1.5" };
    expect(readChanges({ ...toDraft(own), metrics: [...changed, added] }, own)).toEqual({
      metrics: [
        { name: "words", direction: "min", atMost: 100 },
        { name: "cost", weight: 0, atLeast: -1.5 },
        { name: "ok" },
      ],
    });
  });
});

describe("rebase()", () => {
  const before: OwnSettings = { ...NOTHING, mode: "on", excluded: ["a"], metrics: [{ name: "tone", weight: 0.5 }] };

  it("keeps what was changed and is not saved, and takes on what others said of the rest", () => {
    const draft = {
      ...toDraft(before),
      hold: "frozen" as const,
      metrics: [...toDraft(before).metrics, emptyMetric("ok")],
    };
    const now: OwnSettings = { ...before, mode: "observe", excluded: null, metrics: [{ name: "words", atMost: 9 }] };
    expect(rebase(draft, toDraft(before), toDraft(now))).toEqual({
      draft: {
        ...toDraft(now),
        mode: "observe",
        hold: "frozen",
        pinned: null,
        excluded: [],
        metrics: [emptyMetric("ok"), { ...emptyMetric("words"), atMost: "9" }],
      },
      clashes: [],
    });
  });

  it("tells what others said otherwise of the same, and keeps what is in the form", () => {
    const [tone = emptyMetric("")] = toDraft(before).metrics;
    const draft = {
      ...toDraft(before),
      mode: "off" as const,
      hold: "pinned" as const,
      pinned: "b",
      excluded: ["a", "b"],
      metrics: [{ ...tone, weight: "0.2" }],
    };
    const now: OwnSettings = { ...before, mode: null, hold: "frozen", excluded: [], metrics: null };
    expect(rebase(draft, toDraft(before), toDraft(now))).toEqual({
      draft,
      clashes: ["the mode", "the hold", "the excluded models", "tone"],
    });
  });

  it("has nothing left to save once all that was changed is said, by whomever", () => {
    const draft = { ...toDraft(before), mode: "off" as const, metrics: [] };
    const now: OwnSettings = { ...before, mode: "off", metrics: null };
    const rebased = rebase(draft, toDraft(before), toDraft(now));
    expect(rebased.clashes).toEqual([]);
    expect(readChanges(rebased.draft, now)).toEqual({});
  });
});

describe("draftProblem()", () => {
  it.each([
    [{ weight: "a lot" }, "tone: the weight must be a number, such as 0.5"],
    [{ weight: "0,5" }, "tone: the weight must be a number, such as 0.5"],
    [{ weight: "1.1" }, "tone: the weight must be from 0 to 1"],
    [{ atMost: "Infinity" }, "tone: at most must be a number, such as 0.5"],
    [{ atLeast: "2", atMost: "1" }, "tone: the lower bound is above the upper bound"],
    [{}, "tone: say something of it, or remove it"],
    [{ direction: "min" as const }, undefined],
  ])("looks at what is said of a metric: %j", (said, problem) => {
    expect(draftProblem({ ...toDraft(NOTHING), metrics: [{ ...emptyMetric("tone"), ...said }] })).toBe(problem);
  });

  it.each([
    [{ shadowShare: "10%" }, "The share of shadow trials must be a number from 0 to 1, such as 0.1"],
    [{ shadowShare: "1.5" }, "The share of shadow trials must be a number from 0 to 1, such as 0.1"],
    [{ rewardPerPrice: "2" }, "The reward per price must be a number from 0 to 1, such as 0.005"],
    [
      { shadowUsdPerDay: "-1" },
      "The USD a day for shadow trials must be an amount in USD from 0 to 1000000, such as 5",
    ],
    [{ shadowShare: "0.1", shadowUsdPerDay: "5" }, undefined],
  ])("looks at shadow trials: %j", (said, problem) => {
    expect(draftProblem({ ...toDraft(NOTHING), ...said })).toBe(problem);
  });

  it("asks for a model to pin", () => {
    expect(draftProblem({ ...toDraft(NOTHING), hold: "pinned" })).toBe("Choose the model that it is pinned to");
    expect(draftProblem({ ...toDraft(NOTHING), hold: "frozen" })).toBeUndefined();
  });
});
