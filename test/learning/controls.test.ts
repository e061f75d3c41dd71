import { describe, expect, it } from "vitest";
import { ControlTable, NO_SETTINGS, resolveControls } from "../../src/learning/controls.ts";

describe("resolveControls()", () => {
  it("leaves to the configuration what nobody has said", () => {
    expect(resolveControls(undefined, undefined, "observe")).toEqual({
      ...{ mode: "observe", hold: undefined, excluded: [] },
      ...{ objective: "quality", feedback: "voluntary", metrics: [] },
    });
  });

  it("has what is said of a workload go before what is said of its project", () => {
    const ofProject = { ...NO_SETTINGS, mode: "off", hold: "frozen", objective: "cost", excluded: ["a"] } as const;
    expect(resolveControls({ ...NO_SETTINGS, mode: "on", excluded: ["b"] }, ofProject, "observe")).toEqual({
      ...{ mode: "on", hold: { kind: "frozen" }, excluded: ["a", "b"] },
      ...{ objective: "cost", feedback: "voluntary", metrics: [] },
    });
    const [own, other] = [[{ name: "a", weight: 0 }], [{ name: "b", atMost: 1 }]];
    const mergeOverrides = { ...NO_SETTINGS, metrics: other };
    expect(resolveControls({ ...NO_SETTINGS, metrics: own }, mergeOverrides, "on").metrics).toBe(own);
    expect(resolveControls(NO_SETTINGS, mergeOverrides, "on").metrics).toBe(other);
    expect(resolveControls({ ...NO_SETTINGS, hold: "free" }, ofProject, "on").hold).toBeUndefined();
    expect(resolveControls({ ...NO_SETTINGS, hold: "pinned", pinned: "m" }, ofProject, "on").hold).toEqual({
      kind: "pinned",
      model: "m",
    });
  });
});

describe("ControlTable", () => {
  it("gives the same object until something else is said", () => {
    const table = new ControlTable("on");
    const key = { projectId: "p", model: "m" };
    const rows = [{ ...NO_SETTINGS, key: { projectId: "p", model: "" }, mode: "observe" as const }];
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
