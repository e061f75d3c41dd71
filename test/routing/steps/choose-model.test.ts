import { describe, expect, it } from "vitest";
import type { CatalogModel } from "../../../src/catalog/model.ts";
import { routedModelCode } from "../../../src/hub/routed-model-code.ts";
import { guardsHaveRoom, hasRoom } from "../../../src/learning/bandit/budget-usage.ts";
import { Decision, draw } from "../../../src/learning/bandit/decide.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { PendingDecisions } from "../../../src/learning/bandit/pending-decisions.ts";
import { calculatePropensity } from "../../../src/learning/bandit/propensity.ts";
import { isFeedbackDense } from "../../../src/learning/bandit/shadow/feedback-rate.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import type { LearnedWorkload, WorkloadControls } from "../../../src/learning/workload.ts";
import { type ChoiceFacts, chooseModel } from "../../../src/routing/steps/choose-model.ts";
import { CONTROLS } from "../../support/controls.ts";
import { stubModel } from "../../support/stub-upstream.ts";

const model = (name: string): CatalogModel => ({
  ...stubModel,
  name,
  deployments: [{ upstream: "u", model: `real-${name}` }],
});
const models = new Map(["base", "good", "bad"].map((name) => [name, model(name)]));
const base = model("base");
models.set("base", base);

/** A workload that has learned, in one family, that one model is better than base and one is worse. */
function learned(controls: Partial<WorkloadControls> = {}, further: readonly string[] = []): LearnedWorkload {
  const state = new WorkloadState({ arms: ["base", "good", "bad", ...further], base: "base", feedback: "complete" });
  for (let round = 0; round < 300; round++) {
    for (const [arm, reward] of [0.5, 0.95, 0.05].entries()) {
      // As under the policy itself, which soon leaves what is worse alone.
      if (arm === 2 && round >= 20) continue;
      learn(state, { kind: "served", family: "tag:f", arm });
      learn(state, { kind: "rewarded", family: "tag:f", arm, reward });
    }
  }
  const said: WorkloadControls = {
    ...CONTROLS,
    feedback: "complete",
    ...controls,
  };
  return {
    key: { projectId: "p", model: "base" },
    controls: said,
    state,
    clusters: new Map(),
    selector: undefined,
    pendingDecisions: new PendingDecisions(),
    version: 7,
  };
}

function choose(workload: LearnedWorkload, facts: Partial<ChoiceFacts> = {}, seed = 12) {
  return chooseModel({
    base,
    workload,
    family: "tag:f",
    context: { origin: () => undefined, awaiting: () => undefined },
    seed,
    find: (name) => models.get(name),
    fits: () => true,
    isBestOfNAllowed: () => false,
    ...facts,
  });
}

/** How often each model answers, over many seeds. */
function shares(workload: LearnedWorkload, facts: Partial<ChoiceFacts> = {}): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let seed = 0; seed < 1000; seed++) {
    // Each is decided once all before are learned.
    workload.pendingDecisions.read(workload.state, 0);
    const { name } = choose(workload, facts, seed * 2654435761).model;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe("chooseModel()", () => {
  it("explores nothing on users where operators want that, and goes by the evidence", () => {
    const explored = (explore: "users" | "shadow" | "off") => {
      const workload = learned({ explore });
      expect(isFeedbackDense(workload.state)).toBe(true);
      const decisions = Array.from({ length: 300 }, (_, seed) => {
        workload.pendingDecisions.read(workload.state, 0);
        return choose(workload, {}, seed * 2654435761).decision;
      });
      return { chances: new Set(decisions.map(({ exploreChance }) => exploreChance > 0)), best: decisions[0]?.best };
    };
    expect(explored("users")).toEqual({ chances: new Set([true]), best: 1 });
    expect(explored("shadow")).toEqual({ chances: new Set([false]), best: 1 });
    expect(explored("off")).toEqual({ chances: new Set([false]), best: 1 });
  });

  it("leaves a model of the sandbox to itself, but for one that an operator pins", () => {
    expect(shares(learned(), { isMadeUp: true })).toEqual({ base: 1000 });
    const pinned = learned({ hold: { kind: "pinned", model: "good" } });
    expect(shares(pinned, { isMadeUp: true })).toEqual({ good: 1000 });
    // What would be chosen is still told.
    expect(choose(learned({ mode: "observe" }), { isMadeUp: true }).decision).toMatchObject({
      best: 1,
      choice: "best",
    });
  });

  it("has the better model answer nearly always, and base as the control", () => {
    const { good = 0, base = 0, bad = 0 } = shares(learned());
    expect(good).toBeGreaterThan(940);
    expect(base).toBeGreaterThan(5);
    expect(bad).toBeLessThan(10);
  });

  it("serves base while more was risked than the account has room for before it is learned, and says so", () => {
    // The account says nothing of a workload that is new, but for its first feedback.
    const state = new WorkloadState({ arms: ["base", "good"], base: "base", priors: { good: 0.3 } });
    learn(state, { kind: "rewarded", family: "tag:f", arm: 0, reward: 0.5 });
    const workload = { ...learned(), state };
    const others = Array.from({ length: 200 }, (_, seed) => choose(workload, {}, seed).decision).filter(
      ({ arm }) => arm !== 0,
    );
    expect(others).toHaveLength(1);
    const { model, decision } = choose(workload);
    expect(model.name).toBe("base");
    expect(decision).toMatchObject({ best: 0, hasRoom: false, exploreChance: 0, pendingDecisions: 1 });
    workload.pendingDecisions.read(state, 0);
    expect(choose(workload).decision).not.toHaveProperty("unlearned");
  });

  it("has whoever a workload is pinned to answer, however much of that is not learned", () => {
    const workload = learned({ hold: { kind: "pinned", model: "good" } });
    const { length } = Array.from({ length: 500 }, (_, seed) => choose(workload, {}, seed)).filter(
      ({ model, decision }) => model.name === "good" && decision.pendingDecisions === undefined,
    );
    expect(length).toBe(500);
  });

  it("serves base where it only observes, and records what it would have done", () => {
    const workload = learned({ mode: "observe" });
    expect(shares(workload)).toEqual({ base: 1000 });
    const { decision } = choose(workload);
    expect(decision).toMatchObject({ mode: "observe", kept: "observed", family: "tag:f", version: 7, best: 1 });
    expect(decision.arms[decision.arm]).toBe("good");
  });

  it("obeys what operators say: frozen, pinned, excluded", () => {
    expect(shares(learned({ hold: { kind: "frozen" } }))).toEqual({ base: 1000 });
    expect(shares(learned({ hold: { kind: "pinned", model: "bad" } }))).toEqual({ bad: 1000 });
    expect(shares(learned({ hold: { kind: "pinned", model: "no-such-model" } }))).toEqual({ base: 1000 });
    expect(shares(learned({ excluded: ["good"] }))["good"]).toBeUndefined();
  });

  it("leaves out what the catalog does not have any more", () => {
    const find = (name: string) => (name === "good" ? undefined : models.get(name));
    expect(shares(learned(), { find })["good"]).toBeUndefined();
  });

  it("leaves out models that would not take the request whole, and says so where none is left", () => {
    expect(shares(learned(), { fits: ({ name }) => name !== "good" })["good"]).toBeUndefined();
    expect(shares(learned(), { fits: () => false })).toEqual({ base: 1000 });
    const pinned = choose(learned({ hold: { kind: "pinned", model: "good" } }), { fits: () => false });
    expect(pinned.decision).toMatchObject({ kept: "unfit", choice: "only", arm: 0 });
  });

  it("goes on with the model that waits for the results of its tools", () => {
    const awaiting = (code: string) => ({ context: { origin: () => undefined, awaiting: () => code } });
    expect(shares(learned(), awaiting(""))).toEqual({ base: 1000 });
    expect(shares(learned(), awaiting(routedModelCode("base", "bad")))).toEqual({ bad: 1000 });
    expect(shares(learned(), awaiting("no model"))).toEqual({ base: 1000 });
    // It answered in the place of another model than is asked for now.
    expect(shares(learned(), awaiting(routedModelCode("good", "bad")))).toEqual({ base: 1000 });
    expect(choose(learned(), awaiting("")).decision.kept).toBe("conversation");
  });

  it("goes on with the model that made the opaque state in the conversation", () => {
    const madeBy = (name: string, insteadOf?: string) => ({
      context: {
        origin: () => ({ upstream: "u", model: `real-${name}`, ...(insteadOf !== undefined && { insteadOf }) }),
        awaiting: () => undefined,
      },
    });
    expect(shares(learned(), madeBy("base"))).toEqual({ base: 1000 });
    expect(shares(learned(), madeBy("bad", "base"))).toEqual({ bad: 1000 });
    expect(shares(learned(), madeBy("elsewhere", "base"))).toEqual({ base: 1000 });
    // The caller has changed the model, and gets what is asked for now.
    expect(shares(learned(), madeBy("bad"))).toEqual({ base: 1000 });
    expect(shares(learned(), madeBy("bad", "good"))).toEqual({ base: 1000 });
  });

  describe("before what was learned is read", () => {
    const unread = (controls: Partial<WorkloadControls> = {}): LearnedWorkload => {
      const state = new WorkloadState({ arms: ["base", "good", "bad"], base: "base", priors: { good: 0.4 } });
      return { ...learned(controls), state, version: 0, isUnread: true };
    };

    it.each(["on", "observe"] as const)("has base answer, by a decision that says so, in the mode %s", (mode) => {
      const { model, decision } = choose(unread({ mode }));
      expect(model.name).toBe("base");
      expect(decision).toMatchObject({
        mode,
        family: "tag:f",
        kept: "unread",
        choice: "only",
        arm: 0,
        best: 0,
        version: 0,
        controlChance: 0,
        exploreChance: 0,
        eligible: [1, 1, 1],
      });
      expect(shares(unread({ mode }))).toEqual({ base: 1000 });
    });

    it("binds no session by that, and goes on with the model of one that it has heard of", () => {
      const kept: string[] = [];
      const session = (arm?: string) => ({ arm, seed: 12, keep: (name: string) => void kept.push(name) });
      expect(choose(unread(), { session: session() }).decision.kept).toBe("unread");
      expect(kept).toEqual([]);
      const { model, decision } = choose(unread(), { session: session("good") });
      expect([model.name, decision.kept]).toEqual(["good", "session"]);
    });

    it("follows operators and tool loops, which do not depend on what was learned", () => {
      const pinned = choose(unread({ hold: { kind: "pinned", model: "good" } }));
      expect([pinned.model.name, pinned.decision.kept]).toEqual(["good", undefined]);
      const awaiting = () => routedModelCode("base", "bad");
      const bound = choose(unread(), { context: { origin: () => undefined, awaiting } });
      expect([bound.model.name, bound.decision.kept]).toEqual(["bad", "conversation"]);
    });
  });

  describe("in a session", () => {
    /** A session that remembers what it is told, as long as the test has it. */
    const sessionWith = (first?: string) => {
      let arm = first;
      const keep = (name: string): void => {
        arm = name;
      };
      return {
        get arm() {
          return arm;
        },
        seed: 12,
        keep,
      };
    };

    it("goes on with the model that its first call was answered by, whatever chance says", () => {
      const session = sessionWith();
      const first = choose(learned(), { session }, 12);
      expect(first.decision.kept).toBeUndefined();
      expect(session.arm).toBe(first.model.name);
      for (const arm of ["base", "good", "bad"]) {
        expect(shares(learned(), { session: sessionWith(arm) })).toEqual({ [arm]: 1000 });
      }
      expect(choose(learned(), { session: sessionWith("bad") }).decision).toMatchObject({
        kept: "session",
        choice: "only",
        arm: 2,
        controlChance: 0,
        exploreChance: 0,
      });
    });

    it("keeps to base before the first feedback, also when there is some", () => {
      const session = sessionWith();
      const state = new WorkloadState({ arms: ["base", "good", "bad"], base: "base", feedback: "complete" });
      expect(choose({ ...learned(), state }, { session }).model.name).toBe("base");
      expect(shares(learned(), { session })).toEqual({ base: 1000 });
    });

    it("obeys a freeze, a pin and an exclusion from the next call on, and goes on with who then answers", () => {
      const frozen = sessionWith("good");
      expect(choose(learned({ hold: { kind: "frozen" } }), { session: frozen }).model.name).toBe("base");
      expect(choose(learned(), { session: frozen }).model.name).toBe("base");
      const pinned = sessionWith("good");
      expect(choose(learned({ hold: { kind: "pinned", model: "bad" } }), { session: pinned }).model.name).toBe("bad");
      const excluded = sessionWith("good");
      expect(choose(learned({ excluded: ["good"] }), { session: excluded }).model.name).not.toBe("good");
      expect(excluded.arm).not.toBe("good");
      expect(choose(learned({ mode: "observe" }), { session: sessionWith("bad") }).decision.kept).toBe("observed");
    });

    it("goes back to base where a regret budget was exceeded", () => {
      const workload = learned();
      const { state } = workload;
      for (let round = 0; hasRoom(state) && round < 1000; round++) {
        learn(state, { kind: "rewarded", family: "tag:f", arm: 1, reward: 0 });
      }
      expect(hasRoom(state)).toBe(false);
      const session = sessionWith("good");
      expect(choose(workload, { session }).model.name).toBe("base");
      expect(session.arm).toBe("base");
    });

    it("goes on where feedback is rare, whose decisions do not use the budget of rewards", () => {
      const workload = learned();
      const { state } = workload;
      for (let round = 0; hasRoom(state) && round < 1000; round++) {
        learn(state, { kind: "rewarded", family: "tag:f", arm: 1, reward: 0 });
      }
      for (let call = 0; isFeedbackDense(state) && call < 100_000; call++) {
        learn(state, { kind: "served", family: "tag:f", arm: 0 });
      }
      expect([hasRoom(state), isFeedbackDense(state), guardsHaveRoom(state)]).toEqual([false, false, true]);
      const { model, decision } = choose(workload, { session: sessionWith("bad") });
      expect([model.name, decision.kept]).toEqual(["bad", "session"]);
    });

    it("leaves a model that breaks a bound, and one that is not in the catalog any more", () => {
      const workload = learned();
      workload.state.broken[2] = 1;
      expect(choose(workload, { session: sessionWith("bad") }).model.name).not.toBe("bad");
      const session = sessionWith("gone");
      expect(session.arm).toBe("gone");
      const { name } = choose(learned(), { session }).model;
      expect(session.arm).toBe(name);
    });

    it("has base answer a request that its model does not take, says so, and goes on with its model after it", () => {
      const session = sessionWith("good");
      const unfit = choose(learned(), { session, fits: ({ name }) => name !== "good" });
      expect(unfit.model.name).toBe("base");
      expect(unfit.decision.kept).toBe("unfit");
      expect(choose(learned(), { session }).model.name).toBe("good");
    });

    it("lets a tool loop go on with its own model, without following it", () => {
      const session = sessionWith("good");
      const context = { origin: () => undefined, awaiting: () => routedModelCode("base", "bad") };
      const bound = choose(learned(), { session, context });
      expect([bound.model.name, bound.decision.kept]).toEqual(["bad", "conversation"]);
      expect(session.arm).toBe("good");
    });

    it("asks base where several answers may not be asked for this time", () => {
      const workload = learned({}, ["best,best", "best,second"]);
      workload.state.accuracy = 0.95;
      const session = sessionWith("best,second");
      const one = choose(workload, { session });
      expect([one.model.name, one.bestOfN, one.decision.kept]).toEqual(["base", undefined, "unfit"]);
      const several = choose(workload, { session, isBestOfNAllowed: () => true });
      expect(several.bestOfN?.map(({ name }) => name)).toEqual(["good", "base"]);
    });
  });

  it("can be worked out again from what is recorded, with the chance that each model had", () => {
    const workload = learned();
    const chosen = new Float64Array(3);
    const expected = new Float64Array(3);
    for (let seed = 0; seed < 2000; seed++) {
      const record = JSON.parse(JSON.stringify(choose(workload, {}, seed * 2654435761).decision));
      const again = new Decision(record.arms.length);
      Object.assign(again, record, { eligible: again.eligible, worths: again.worths, doubts: again.doubts });
      again.eligible.set(record.eligible);
      again.worths.set(record.worths);
      again.doubts.set(record.doubts);
      expect(draw(again).arm).toBe(record.arm);
      chosen[record.arm] = (chosen[record.arm] ?? 0) + 1;
      for (const arm of [0, 1, 2]) expected[arm] = (expected[arm] ?? 0) + calculatePropensity(again, arm);
    }
    for (const arm of [0, 1, 2]) expect(Math.abs((chosen[arm] ?? 0) - (expected[arm] ?? 0))).toBeLessThan(30);
  });

  describe("where several answers may be asked for", () => {
    const several = (controls: Partial<WorkloadControls> = {}): LearnedWorkload => {
      const workload = learned(controls, ["best,best", "best,second"]);
      workload.state.accuracy = 0.95;
      for (let time = 0; time < 40; time++) {
        learn(workload.state, { kind: "rewarded", family: "tag:f", arm: 4, reward: 1 });
      }
      return workload;
    };
    const names = (workload: LearnedWorkload, facts: Partial<ChoiceFacts> = {}) =>
      choose(workload, { isBestOfNAllowed: () => true, ...facts }).bestOfN?.map(({ name }) => name);

    it("asks the best models of the family at once, and records which", () => {
      expect(names(several())).toEqual(["good", "base"]);
      const { decision } = choose(several(), { isBestOfNAllowed: () => true });
      expect(decision).toMatchObject({ several: "best,second", ranked: ["good", "base", "bad"], arm: 4 });
    });

    it("asks one where nobody may be asked for several, or the conversation is under way", () => {
      expect(names(several(), { isBestOfNAllowed: () => false })).toBeUndefined();
      expect(names(several(), { isBestOfNAllowed: (arm) => arm === "best,none" })).toBeUndefined();
      const awaiting = { origin: () => undefined, awaiting: () => routedModelCode("base", "bad") };
      expect(names(several(), { context: awaiting })).toBeUndefined();
      const origin = {
        origin: () => ({ upstream: "u", model: "real-bad", insteadOf: "base" }),
        awaiting: () => undefined,
      };
      expect(names(several(), { context: origin })).toBeUndefined();
    });

    it("asks base where it only observes, and records what it would have asked", () => {
      const {
        bestOfN: models,
        model,
        decision,
      } = choose(several({ mode: "observe" }), { isBestOfNAllowed: () => true });
      expect([models, model.name]).toEqual([undefined, "base"]);
      expect(decision).toMatchObject({ kept: "observed", best: 4, ranked: ["good", "base", "bad"] });
      expect(decision.several).toBeUndefined();
    });

    it("leaves out models that are excluded, or do not take the request", () => {
      expect(names(several({ excluded: ["good"] }))).toEqual(["base", "bad"]);
      expect(names(several(), { fits: ({ name }) => name !== "good" })).toEqual(["base", "bad"]);
      expect(names(several({ excluded: ["good", "bad"] }))).not.toContain("good");
    });

    it("obeys a freeze and a pin", () => {
      expect(names(several({ hold: { kind: "frozen" } }))).toBeUndefined();
      expect(names(several({ hold: { kind: "pinned", model: "bad" } }))).toBeUndefined();
    });
  });
});
