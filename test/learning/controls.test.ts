import { describe, expect, it } from "vitest";
import type { ModelScope } from "../../src/learning/alternatives.ts";
import { ControlTable, NO_SHADOW, resolveControls } from "../../src/learning/controls.ts";
import { type ControlSettings, NO_CONTROLS } from "../../src/vocabulary/control-fields.ts";

describe("resolveControls()", () => {
  it("leaves to the configuration what nobody has said", () => {
    expect(resolveControls(undefined, undefined, { mode: "observe" })).toEqual({
      mode: "observe",
      hold: undefined,
      excluded: [],
      objective: "quality",
      feedback: "voluntary",
      metrics: [],
      unit: "session",
      shadow: NO_SHADOW,
    });
  });

  it("has a reward per price of a workload, of its project and of the configuration, in this order", () => {
    const defaults = { mode: "on", rewardPerPrice: 0.005 } as const;
    const rewardOf = (own: number | null, ofProject: number | null) =>
      resolveControls({ ...NO_CONTROLS, rewardPerPrice: own }, { ...NO_CONTROLS, rewardPerPrice: ofProject }, defaults)
        .rewardPerPrice;
    expect([rewardOf(null, null), rewardOf(null, 0.02), rewardOf(0, 0.02)]).toEqual([0.005, 0.02, 0]);
  });

  it("has the worth of a reward in the same order, where 0 takes back that of the project", () => {
    const worthOf = (own: number | null, ofProject: number | null) => {
      const [said, all] = [own, ofProject].map((usdPerReward) => ({ ...NO_CONTROLS, usdPerReward }));
      return resolveControls(said, all, { mode: "on", usdPerReward: 0 }).usdPerReward;
    };
    expect([worthOf(null, null), worthOf(null, 0.02), worthOf(0, 0.02)]).toEqual([0, 0.02, 0]);
  });

  it("has what is said of a workload go before what is said of its project", () => {
    const ofProject = { ...NO_CONTROLS, mode: "off", hold: "frozen", objective: "cost", excluded: ["a"] } as const;
    expect(resolveControls({ ...NO_CONTROLS, mode: "on", excluded: ["b"] }, ofProject, { mode: "observe" })).toEqual({
      mode: "on",
      hold: { kind: "frozen" },
      excluded: ["a", "b"],
      objective: "cost",
      feedback: "voluntary",
      metrics: [],
      unit: "session",
      shadow: NO_SHADOW,
    });
    const [own, other] = [[{ name: "a", weight: 0 }], [{ name: "b", atMost: 1 }]];
    const mergeOverrides = { ...NO_CONTROLS, metrics: other };
    expect(resolveControls({ ...NO_CONTROLS, metrics: own }, mergeOverrides, { mode: "on" }).metrics).toBe(own);
    expect(resolveControls(NO_CONTROLS, mergeOverrides, { mode: "on" }).metrics).toBe(other);
    expect(resolveControls({ ...NO_CONTROLS, hold: "free" }, ofProject, { mode: "on" }).hold).toBeUndefined();
    expect(resolveControls({ ...NO_CONTROLS, hold: "pinned", pinned: "m" }, ofProject, { mode: "on" }).hold).toEqual({
      kind: "pinned",
      model: "m",
    });
  });
});

describe("resolveControls() of shadow trials", () => {
  const defaults = { mode: "on", unit: "request", shadow: { share: 0.1, judge: "j", usdPerDay: 5 } } as const;
  const key = { projectId: "p", model: "m" };
  const shadowOf = (own: Partial<typeof NO_CONTROLS>, ofProject: Partial<typeof NO_CONTROLS> = {}) =>
    resolveControls({ ...NO_CONTROLS, ...own }, { ...NO_CONTROLS, ...ofProject }, defaults, key).shadow;

  it("has each member go before by itself, and the configuration last", () => {
    expect(resolveControls(undefined, undefined, defaults, key)).toMatchObject({ unit: "request" });
    expect(shadowOf({})).toEqual({ share: 0.1, judge: "j", usdPerDay: 5, budget: "" });
    expect(shadowOf({ shadowShare: 0 }, { shadowShare: 0.5, shadowJudge: "k", shadowRubric: "Short." })).toEqual({
      share: 0,
      judge: "k",
      rubric: "Short.",
      usdPerDay: 5,
      budget: "",
    });
  });

  it("has the money of a day shared by all of whom it is said", () => {
    expect(shadowOf({}, { shadowUsdPerDay: 2 })).toMatchObject({ usdPerDay: 2, budget: "p" });
    expect(shadowOf({ shadowUsdPerDay: 1 }, { shadowUsdPerDay: 2 })).toMatchObject({ usdPerDay: 1, budget: "p/m" });
  });

  it("has the judge not answer unless a list of models names it, or somebody pins it", () => {
    const excludedOf = (own: Partial<ControlSettings>, models?: ModelScope, of = key) => {
      const said = { ...NO_CONTROLS, excluded: ["x"], ...own };
      return resolveControls(said, NO_CONTROLS, { ...defaults, ...(models && { models }) }, of).excluded;
    };
    expect(excludedOf({})).toEqual(["x", "j"]);
    expect(excludedOf({}, "any")).toEqual(["x", "j"]);
    expect(excludedOf({}, ["other"])).toEqual(["x", "j"]);
    expect(excludedOf({}, ["j"])).toEqual(["x"]);
    expect(excludedOf({ shadowJudge: "k" })).toEqual(["x", "k"]);
    expect(excludedOf({ shadowSecondJudge: "s" })).toEqual(["x", "j", "s"]);
    expect(excludedOf({ shadowSecondJudge: "s" }, ["s"])).toEqual(["x", "j"]);
    expect(excludedOf({ shadowSecondJudge: "s", hold: "pinned", pinned: "s" })).toEqual(["x", "j"]);
    // Improvements ask it, whatever the share of ordinary trials is.
    expect(excludedOf({ shadowShare: 0 })).toEqual(["x", "j"]);
    expect(excludedOf({ hold: "pinned", pinned: "j" })).toEqual(["x"]);
    // Who asks for the judge itself gets it.
    expect(excludedOf({}, "any", { ...key, model: "j" })).toEqual(["x"]);
  });

  it("tells the largest share of all workloads", () => {
    const table = new ControlTable(defaults);
    expect(table.mostShadow).toBe(0.1);
    table.replace([{ ...NO_CONTROLS, key, shadowShare: 0.3 }]);
    expect(table.mostShadow).toBe(0.3);
    table.replace([]);
    expect(table.mostShadow).toBe(0.1);
    expect(new ControlTable({ mode: "on" }).mostShadow).toBe(0);
  });
});

describe("ControlTable", () => {
  it("gives the same object until something else is said", () => {
    const table = new ControlTable({ mode: "on" });
    const key = { projectId: "p", model: "m" };
    const rows = [{ ...NO_CONTROLS, key: { projectId: "p", model: "" }, mode: "observe" as const }];
    table.replace(rows);
    const before = table.of(key);
    expect(before.mode).toBe("observe");
    expect(table.of({ projectId: "q", model: "m" }).mode).toBe("on");
    table.replace(structuredClone(rows));
    expect(table.of(key)).toBe(before);
    table.replace([]);
    expect(table.of(key).mode).toBe("on");
  });
});
