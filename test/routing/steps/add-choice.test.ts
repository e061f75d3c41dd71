import { describe, expect, it } from "vitest";
import { createHubInput } from "../../../src/hub/input.ts";
import { LatencyMetrics } from "../../../src/learning/learner/latency-metrics.ts";
import type { LearnedWorkload } from "../../../src/learning/workload.ts";
import { allowsBestOfN, createChoiceStep } from "../../../src/routing/steps/add-choice.ts";
import { requestFacts } from "../../support/request-facts.ts";
import { stubModel, stubUpstream } from "../../support/stub-upstream.ts";

const place = (name: string) => ({ upstream: stubUpstream(name, []), deployment: { upstream: name, model: name } });
const base = { ...stubModel, name: "base" };
const other = { ...stubModel, name: "other" };
const places = new Map([base, other].map((model) => [model, [{ ...place(model.name), relativePrice: 1 }]]));
const looked = (facts: Parameters<typeof requestFacts>[0], only = false): boolean => {
  let isLooked = false;
  const known = only ? new Map([...places].slice(0, 1)) : places;
  const step = createChoiceStep({ sandboxes: new Set() }, known);
  const workload = () => {
    isLooked = true;
    return undefined;
  };
  expect(step({}, requestFacts({ found: { model: base }, workload, ...facts }))).toEqual({});
  return isLooked;
};

describe("createChoiceStep()", () => {
  it("chooses nothing where nothing is learned", () => {
    expect(looked({})).toBe(true);
  });

  it("does not even look for the workload where no other model may answer", () => {
    expect(looked({}, true)).toBe(false);
    expect(looked({ init: { plain: true } })).toBe(false);
    expect(looked({ context: { isAnswered: false } })).toBe(false);
    expect(looked({ found: { model: base, isDirected: true } })).toBe(false);
  });
});

const ARMS = ["best,best", "best,second"];
/** Two models twice as slow as base, for whole answers and for first tokens. */
const latencies = new LatencyMetrics();
for (const kind of ["unary", "firstToken"] as const) {
  for (let at = 0; at < 30; at++) latencies.addBase("tag:f", kind, 100);
  for (let at = 0; at < 20; at++) latencies.addSeveral("best,second", { family: "tag:f", kind, ms: 5000 });
}

interface Asked {
  readonly isProven?: boolean;
  readonly isJudged?: boolean;
  readonly hasSeveral?: boolean;
  readonly streamed?: boolean;
  readonly candidates?: NonNullable<(typeof stubModel)["candidates"]>;
  readonly input?: Parameters<typeof createHubInput>[0];
}

/** The arms that a request may be given. */
function allowed({ isProven = true, isJudged = false, hasSeveral = true, streamed = false, ...rest }: Asked = {}) {
  const { candidates = { max: 2, learned: "on" as const }, input = {} } = rest;
  const workload = { state: { hasSeveral }, selector: { isProven }, latencies } as unknown as LearnedWorkload;
  const may = allowsBestOfN({
    input: createHubInput({ model: "attune/m", ...input }),
    model: { ...stubModel, candidates },
    context: { streamed },
    workload,
    isJudged: () => isJudged,
  });
  return ARMS.filter(may);
}

describe("allowsBestOfN()", () => {
  it("leaves out the arms that are slower than the operator allows", () => {
    expect(allowed()).toEqual(["best,best"]);
    expect(allowed({ streamed: true })).toEqual(["best,best"]);
    expect(allowed({ candidates: { max: 2, learned: "on", maxSlowdown: { unary: 60 } } })).toEqual(ARMS);
    expect(allowed({ streamed: true, candidates: { max: 2, learned: "on", maxSlowdown: { unary: 60 } } })).toEqual([
      "best,best",
    ]);
    const most = { unary: 60, firstToken: 60 };
    expect(allowed({ streamed: true, candidates: { max: 2, learned: "on", maxSlowdown: most } })).toEqual(ARMS);
  });

  it("allows none where the choice is not proven, nobody wants it, or the request asks for several itself", () => {
    expect(allowed({ isProven: false })).toEqual([]);
    expect(allowed({ isProven: false, isJudged: true })).toEqual([]);
    expect(allowed({ hasSeveral: false })).toEqual([]);
    expect(allowed({ candidates: { max: 2 } })).toEqual([]);
    expect(allowed({ streamed: true, candidates: { max: 2, learned: "unary" } })).toEqual([]);
    expect(allowed({ input: { candidates: 2 } })).toEqual([]);
    expect(allowed({ input: { compact: true } })).toEqual([]);
  });
});
