import { describe, expect, it } from "vitest";
import { armsOfSeveral } from "../../../src/learning/bandit/best-of-n.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { PendingDecisions } from "../../../src/learning/bandit/pending-decisions.ts";
import { OBJECTIVES, type Objective } from "../../../src/learning/bandit/settings.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { NO_BELIEFS } from "../../../src/learning/best-of-n/ranker.ts";
import { Selector } from "../../../src/learning/best-of-n/selector.ts";
import type { WorkloadControls } from "../../../src/learning/workload.ts";
import { findSelection } from "../../../src/routing/candidates/requested-candidates.ts";
import { chooseModel } from "../../../src/routing/steps/choose-model.ts";
import { CONTROLS } from "../../support/controls.ts";
import { stubModel } from "../../support/stub-upstream.ts";

const CALLS = 5000;
const FAMILIES = ["tag:a", "tag:b", "auto:plain"];
const models = new Map(
  ["base", "good", "cheap"].map((name) => [
    name,
    { ...stubModel, name, deployments: [{ upstream: "u", model: `real-${name}` }] },
  ]),
);
const base = models.get("base") ?? stubModel;

interface Case {
  readonly mode: "observe" | "on";
  readonly objective: Objective;
  readonly feedback: "voluntary" | "complete";
}

const CASES: readonly Case[] = (["observe", "on"] as const).flatMap((mode) =>
  (Object.keys(OBJECTIVES) as Objective[]).flatMap((objective) =>
    (["voluntary", "complete"] as const).map((feedback) => ({ mode, objective, feedback })),
  ),
);

/**
 * A workload that others are believed to be far better in, and whose several answers are believed to be chosen rightly.
 */
function newWorkload({ mode, objective, feedback }: Case) {
  const arms = [...models.keys(), ...armsOfSeveral(4)];
  const state = new WorkloadState({ arms, base: "base", objective, feedback, priors: { good: 0.9, cheap: 0.5 } });
  state.accuracy = 0.95;
  const controls: WorkloadControls = {
    ...CONTROLS,
    mode,
    objective,
    feedback,
  };
  return {
    key: { projectId: "p", model: "base" },
    controls,
    state,
    clusters: new Map(),
    selector: undefined,
    pendingDecisions: new PendingDecisions(),
    version: 1,
  };
}

type Workload = ReturnType<typeof newWorkload>;

/**
 * Asks so many calls, whose answers are learned of; returns how many were answered by another than base, and how many
 * would have been.
 */
function ask(workload: Workload, calls: number): { readonly deviated: number; readonly decided: number } {
  const { state, pendingDecisions } = workload;
  let deviated = 0;
  let decided = 0;
  for (let call = 0; call < calls; call++) {
    const family = FAMILIES[call % FAMILIES.length] ?? "";
    const {
      model,
      bestOfN: several,
      decision,
    } = chooseModel({
      base,
      workload,
      family,
      context: { origin: () => undefined, awaiting: () => undefined },
      seed: Math.imul(call + 1, 0x9e3779b1),
      find: (name) => models.get(name),
      fits: () => true,
      isBestOfNAllowed: () => true,
    });
    if (model !== base || several !== undefined) deviated += 1;
    if (decision.arm !== decision.base) decided += 1;
    const isBase = model === base && several === undefined;
    learn(state, { kind: "served", family, arm: isBase ? 0 : decision.arm, price: isBase ? 10 : 1 });
    pendingDecisions.read(state, 0);
  }
  return { deviated, decided };
}

describe("a workload without feedback", () => {
  it.each(CASES)(
    "has base answer 5,000 calls, and may have others answer after one feedback: $mode, $objective, $feedback",
    (given) => {
      const workload = newWorkload(given);
      expect(ask(workload, CALLS)).toEqual({ deviated: 0, decided: 0 });
      learn(workload.state, { kind: "rewarded", family: "tag:a", arm: 0, reward: 0.5 });
      const { deviated, decided } = ask(workload, CALLS);
      expect(decided).toBeGreaterThan(0);
      expect(deviated > 0).toBe(given.mode === "on");
    },
  );

  it("has neither chance nor what was learned elsewhere choose among several answers that were asked for", () => {
    const { state, ...workload } = newWorkload({ mode: "on", objective: "quality", feedback: "voluntary" });
    const actsWith = (selector: Selector | undefined) => findSelection({ ...workload, state, selector }, "id")?.acts;
    const selector = Selector.begin(NO_BELIEFS);
    expect([actsWith(undefined), actsWith(selector)]).toEqual([false, false]);
    selector.learn({ candidates: [], expected: [], returned: 0, chance: 1, isRandom: false }, 1, 1);
    learn(state, { kind: "rewarded", family: "tag:a", arm: 0, reward: 1 });
    expect([actsWith(undefined), actsWith(selector)]).toEqual([true, true]);
  });
});
