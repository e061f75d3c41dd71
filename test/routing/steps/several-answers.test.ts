import { describe, expect, it } from "vitest";
import { createCatalog } from "../../../src/catalog/catalog.ts";
import { type CatalogModel, DEFAULT_OPTIMIZATIONS } from "../../../src/catalog/model.ts";
import { createHubInput, type HubInit } from "../../../src/hub/input.ts";
import type { Plan } from "../../../src/inference/ports.ts";
import { PendingDecisions } from "../../../src/learning/bandit/pending-decisions.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";
import { NO_BELIEFS } from "../../../src/learning/best-of-n/ranker.ts";
import { Selector } from "../../../src/learning/best-of-n/selector.ts";
import { HealthTracker } from "../../../src/routing/health/health-tracker.ts";
import { PrefixReuse } from "../../../src/routing/health/prefix-reuse.ts";
import { createRouter } from "../../../src/routing/router.ts";
import type { RoutingSnapshot } from "../../../src/routing/routing-snapshot.ts";
import { CONTROLS } from "../../support/controls.ts";
import { planContext } from "../../support/plan-context.ts";
import { stubModel, stubUpstream } from "../../support/stub-upstream.ts";

const unproven = Selector.begin(NO_BELIEFS);
const seen = {
  preferredSum: 100,
  preferredCount: 100,
  otherSum: 0,
  otherCount: 100,
  pairs: 0,
  rightPairs: 0,
};
const proven = Selector.restore({ ...unproven.toSnapshot(), accuracy: seen });
const IN_ORDER = { ...DEFAULT_OPTIMIZATIONS, choice: false };
const JSON_ASKED: HubInit = { outputFormat: { kind: { case: "jsonObject", value: {} } } };
const judge: RoutingSnapshot["judge"] = async (texts) => texts.map(() => undefined);

interface Facts {
  /** The arm that the workload is pinned to. */
  readonly arm?: string;
  readonly selector?: Selector | undefined;
  readonly settings?: Partial<CatalogModel>;
  readonly judge?: RoutingSnapshot["judge"];
  readonly streamed?: boolean;
  readonly models?: readonly string[];
  /** Rewards of the workload, which is held to no arm then. */
  readonly rewards?: number;
}

/** Plans a request for base, "chatty"; "cheap" is believed to be better, and served at two places. */
function plan(facts: Facts = {}, input: HubInit = {}): Plan {
  const {
    arm = "best,second",
    selector = proven,
    settings = {},
    streamed = false,
    models = ["chatty", "cheap"],
  } = facts;
  const deployments = (name: string) =>
    (name === "chatty" ? ["a"] : ["b", "c"]).map((upstream) => ({ upstream, model: `${upstream}-model` }));
  const candidates = { max: 2, learned: "unary" as const };
  const catalog = createCatalog(
    models.map((name) => ({
      ...stubModel,
      name,
      deployments: deployments(name),
      candidates,
      optimizations: IN_ORDER,
      ...settings,
    })),
    "attune",
  );
  const state = new WorkloadState({
    arms: [...models, "best,best", "best,second"],
    base: "chatty",
    priors: models.length > 1 ? { cheap: 0.1 } : {},
  });
  state.rewards = facts.rewards ?? 0;
  const hold = facts.rewards === undefined ? { kind: "pinned" as const, model: arm } : undefined;
  const router = createRouter({
    catalog,
    upstreams: new Map(["a", "b", "c"].map((name) => [name, stubUpstream(name, [])])),
    sandboxes: new Set(),
    health: new HealthTracker(() => 0),
    slowAfterMs: () => undefined,
    mayBegin: () => true,
    reuse: new PrefixReuse(() => 0),
    optimizationsOff: () => new Set(),
    judge: facts.judge,
    workloads: {
      find: (key) => ({
        key,
        state,
        selector,
        pendingDecisions: new PendingDecisions(),
        clusters: new Map(),
        version: 1,
        controls: { ...CONTROLS, hold },
      }),
    },
  });
  return router.plan(createHubInput({ model: "attune/chatty", ...input }), planContext({ streamed }));
}

/** How many are asked at once, and who is asked in which order. */
function calls({ strategy }: Plan): readonly (string | number)[] {
  const count = strategy.kind === "candidates" ? strategy.count : 1;
  return [count, ...strategy.attempts.map(({ model, upstream }) => `${model.name} at ${upstream.name}`)];
}

describe("a plan of several answers that nobody asked for", () => {
  it("asks the two best models at once, and then the other places of both", () => {
    expect(calls(plan())).toEqual([2, "cheap at b", "chatty at a", "cheap at c"]);
    expect(plan().model.name).toBe("chatty");
    expect(plan().decision).toMatchObject({ several: "best,second", ranked: ["cheap", "chatty"] });
  });

  it("asks the best one twice, at two places if it has them", () => {
    expect(calls(plan({ arm: "best,best" }))).toEqual([2, "cheap at b", "cheap at c", "chatty at a"]);
    expect(calls(plan({ arm: "best,best", models: ["chatty"] }))).toEqual([2, "chatty at a", "chatty at a"]);
  });

  it("is not made where the selector has not proved itself, or the configuration does not allow it", () => {
    const one = [1, "chatty at a"];
    expect(calls(plan({ selector: unproven }))).toEqual(one);
    expect(calls(plan({ settings: { candidates: { max: 2 } } }))).toEqual(one);
    expect(calls(plan({ streamed: true }))).toEqual(one);
    expect(calls(plan({ streamed: true, settings: { candidates: { max: 2, learned: "on" } } }))[0]).toBe(2);
  });

  it("needs no selector where a machine can choose, unless it is cheaper to ask once more", () => {
    expect(calls(plan({ selector: unproven, judge }, JSON_ASKED))[0]).toBe(2);
    expect(calls(plan({ selector: unproven, judge }))[0]).toBe(1);
    expect(calls(plan({ selector: unproven }, JSON_ASKED))[0]).toBe(1);
    const settings = { optimizations: { ...IN_ORDER, checkedRetry: "on" as const } };
    expect(calls(plan({ selector: unproven, judge, settings }, JSON_ASKED))[0]).toBe(1);
    // What was learned may still be better than what a machine knows.
    expect(calls(plan({ judge, settings }, JSON_ASKED))[0]).toBe(2);
  });

  it("is a trial of base's answers in a part of the requests, until the selector is decided, of which no model learns", () => {
    const settings = { candidates: { max: 2, learned: "unary" as const, selectorTrials: 1 } };
    const trial = plan({ rewards: 400, selector: unproven, settings });
    expect(calls(trial)).toEqual([2, "chatty at a", "chatty at a"]);
    expect(trial.decision).toBeUndefined();
    expect(calls(plan({ rewards: 19, selector: unproven, settings }))[0]).toBe(1);
    expect(calls(plan({ rewards: 400, selector: unproven }))[0]).toBe(1);
    expect(plan({ rewards: 400, settings }).decision).toBeDefined();
  });

  it("leaves a caller's own number, and who wants it plain, as they are", () => {
    expect(calls(plan({}, { candidates: 2 }))).toEqual([2, "chatty at a", "chatty at a"]);
    expect(plan({}, { candidates: 2 }).decision).toBeUndefined();
    expect(calls(plan({}, { plain: true }))).toEqual([1, "chatty at a"]);
  });
});
