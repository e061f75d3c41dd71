import { describe, expect, it } from "vitest";
import {
  changesOf,
  draftProblem,
  toDraft,
} from "../../../../../src/dashboard/web/pages/workloads/controls/control-draft.ts";

const NOTHING = {
  mode: null,
  hold: null,
  pinned: null,
  excluded: null,
  objective: null,
  feedback: null,
  metrics: null,
};

describe("changesOf()", () => {
  const draft = toDraft(NOTHING);

  it("is nothing where nothing was changed, in whatever order models are listed", () => {
    expect(changesOf(draft, NOTHING)).toEqual({});
    const own = { ...NOTHING, excluded: ["a", "b"] };
    expect(changesOf({ ...toDraft(own), excluded: ["b", "a"] }, own)).toEqual({});
  });

  it("sends only what is new", () => {
    expect(changesOf({ ...draft, mode: "on" }, NOTHING)).toEqual({ mode: "on" });
    expect(changesOf({ ...draft, hold: "pinned", pinned: "a" }, NOTHING)).toEqual({ hold: "pinned", pinned: "a" });
    expect(changesOf({ ...draft, excluded: ["a"] }, NOTHING)).toEqual({ excluded: ["a"] });
  });

  it("takes back what was said, and unpins with another hold", () => {
    const own = { ...NOTHING, mode: "on", hold: "pinned", pinned: "a", excluded: ["b"] } as const;
    expect(changesOf(draft, own)).toEqual({ mode: null, hold: null, pinned: null, excluded: null });
    expect(changesOf({ ...toDraft(own), hold: "frozen" }, own)).toEqual({ hold: "frozen", pinned: null });
    expect(changesOf({ ...toDraft(own), pinned: "c" }, own)).toEqual({ hold: "pinned", pinned: "c" });
  });
});

describe("draftProblem()", () => {
  it("asks for a model to pin", () => {
    expect(draftProblem({ mode: "", hold: "pinned", pinned: null, excluded: [] })).toBe(
      "Choose the model that it is pinned to",
    );
    expect(draftProblem({ mode: "", hold: "frozen", pinned: null, excluded: [] })).toBeUndefined();
  });
});
