import { describe, expect, it } from "vitest";
import type { CandidateSettings, CatalogModel } from "../../../src/catalog/model.ts";
import { createHubInput, type HubInit } from "../../../src/hub/input.ts";
import type { PlanContext } from "../../../src/inference/ports.ts";
import { PendingDecisions } from "../../../src/learning/bandit/pending-decisions.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import type { LearnedWorkload, WorkloadControls } from "../../../src/learning/workload.ts";
import { isTrial } from "../../../src/routing/candidates/selector-trial.ts";
import { CONTROLS } from "../../support/controls.ts";
import { planContext } from "../../support/plan-context.ts";
import { stubModel } from "../../support/stub-upstream.ts";

/** A workload of 1,000 requests and 100 rewards, which may come to ask for two answers. */
function workloadOf(changes: Partial<LearnedWorkload> = {}, { rewards = 100, arms = ["m", "best,best"] } = {}) {
  const state = new WorkloadState({ arms, base: "m" });
  state.rewards = rewards;
  state.requests[0] = 600;
  state.requests[1] = 400;
  const key = { projectId: "p", model: "m" };
  const pendingDecisions = new PendingDecisions();
  return {
    key,
    state,
    controls: CONTROLS,
    clusters: new Map(),
    selector: undefined,
    pendingDecisions,
    version: 1,
    ...changes,
  };
}

interface Facts {
  readonly settings?: CandidateSettings | undefined;
  readonly model?: Partial<CatalogModel>;
  readonly input?: HubInit;
  readonly context?: Partial<PlanContext>;
  readonly workload?: LearnedWorkload | undefined;
  readonly drawn?: number;
}

const ask = (facts: Facts = {}): boolean => {
  const { settings = { max: 2, learned: "unary", selectorTrials: 0.2 }, workload = workloadOf() } = facts;
  return isTrial({
    input: createHubInput({ model: "attune/m", ...facts.input }),
    model: { ...stubModel, candidates: settings, ...facts.model },
    context: planContext({ streamed: false, ...facts.context }),
    find: () => workload,
    random: () => facts.drawn ?? 0.19,
  });
};

describe("isTrial()", () => {
  it("is so for the part of the requests that is configured, one of twenty if that is not said", () => {
    expect(ask()).toBe(true);
    expect(ask({ drawn: 0.2 })).toBe(false);
    const unsaid = { max: 2, learned: "unary" } as const;
    expect(ask({ settings: unsaid, drawn: 0.049 })).toBe(true);
    expect(ask({ settings: unsaid, drawn: 0.05 })).toBe(false);
    expect(ask({ settings: { ...unsaid, selectorTrials: 0 }, drawn: 0 })).toBe(false);
  });

  it("is not where several answers may not be asked for unasked", () => {
    expect(ask({ settings: { max: 2, selectorTrials: 0.2 } })).toBe(false);
    expect(ask({ model: { candidates: undefined } })).toBe(false);
    expect(ask({ context: { streamed: true } })).toBe(false);
    expect(ask({ settings: { max: 2, learned: "on", selectorTrials: 0.2 }, context: { streamed: true } })).toBe(true);
    expect(ask({ workload: workloadOf({}, { arms: ["m", "other"] }) })).toBe(false);
  });

  it("leaves those alone that want it plain, need a form that a machine checks, or go on with what began elsewhere", () => {
    expect(ask({ input: { plain: true } })).toBe(false);
    expect(ask({ input: { compact: true } })).toBe(false);
    expect(ask({ input: { outputFormat: { kind: { case: "jsonObject", value: {} } } } })).toBe(false);
    expect(ask({ context: { awaiting: () => "code" } })).toBe(false);
    expect(ask({ context: { origin: () => ({ upstream: "a", model: "b" }) } })).toBe(false);
  });

  it("obeys those who hold the workload, and those who only watch it", () => {
    const held = (changes: Partial<WorkloadControls>) =>
      ask({ workload: workloadOf({ controls: { ...CONTROLS, ...changes } }) });
    expect(held({ hold: { kind: "frozen" } })).toBe(false);
    expect(held({ hold: { kind: "pinned", model: "m" } })).toBe(false);
    expect(held({ mode: "observe" })).toBe(false);
    expect(held({})).toBe(true);
  });

  it("waits for feedback, and for so much that trials teach something", () => {
    expect(ask({ workload: workloadOf({}, { rewards: 20 }) })).toBe(true);
    // One of fifty requests has some, at the least.
    expect(ask({ workload: workloadOf({}, { rewards: 19 }) })).toBe(false);
    const seldom = workloadOf({}, { rewards: 100 });
    seldom.state.requests[2] = 4001;
    expect(ask({ workload: seldom })).toBe(false);
    seldom.state.requests[2] = 4000;
    expect(ask({ workload: seldom })).toBe(true);
  });

  it("is not while the accounts are overdrawn", () => {
    const overdrawn = workloadOf();
    const { account } = overdrawn.state;
    account.baseMeans[0] = 1;
    for (let at = 0; at < 100; at++) account.add(0, 1, 0, 1);
    expect(ask({ workload: overdrawn })).toBe(false);
  });
});
