import { describe, expect, it } from "vitest";
import { createCacheHintsStep } from "../../../src/routing/steps/add-cache-hints.ts";
import { toAttempt } from "../../../src/routing/steps/plan-strategy.ts";
import { requestFacts } from "../../support/request-facts.ts";
import { stubModel, stubUpstream } from "../../support/stub-upstream.ts";

const init = {
  system: [{ kind: { case: "text" as const, value: { text: "word ".repeat(2000) } } }],
  tools: [{ kind: { case: "function" as const, value: { name: "f" } } }],
};
const model = { ...stubModel, minCacheableTokens: 1024 };
const step = createCacheHintsStep({ arrived: () => 1 });
const drafted = (takes: { takesCacheMarks?: boolean; takesCacheKeys?: boolean }) => {
  const place = { upstream: { ...stubUpstream("a", []), ...takes }, deployment: { upstream: "a", model: "a" } };
  const attempt = toAttempt({ ...place, relativePrice: 1 }, model, 1);
  return { planned: { strategy: { kind: "sequence" as const, attempts: [attempt] }, optimizations: [] } };
};

describe("createCacheHintsStep()", () => {
  it("names the parts to keep where an upstream's cache goes by marks", () => {
    const draft = step(drafted({ takesCacheMarks: true }), requestFacts({ init, found: { model } }));
    expect(draft.cachedParts).toEqual({ prefix: true, conversation: true });
    expect(draft.cacheKey).toBeUndefined();
  });

  it("makes up a key where an upstream takes keys, but not beside the caller's own", () => {
    const keyed = drafted({ takesCacheKeys: true });
    expect(step(keyed, requestFacts({ init, found: { model } })).cacheKey).toBeTypeOf("string");
    const own = requestFacts({ init: { ...init, promptCacheKey: "mine" }, found: { model } });
    expect(step(keyed, own).cacheKey).toBeUndefined();
  });

  it("adds nothing to a count of tokens", () => {
    const draft = drafted({ takesCacheMarks: true });
    expect(step(draft, requestFacts({ init, found: { model }, context: { isAnswered: false } }))).toBe(draft);
  });
});
