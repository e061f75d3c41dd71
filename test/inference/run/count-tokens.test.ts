import { describe, expect, it } from "vitest";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { createHubInput, type HubInit, type HubInput } from "../../../src/hub/input.ts";
import type { TokenCount, Upstream } from "../../../src/hub/upstream.ts";
import { countTokens } from "../../../src/inference/run/count-tokens.ts";
import { stubPlan, stubUpstream } from "../../support/stub-upstream.ts";
import { testSigner } from "../../support/test-signer.ts";

const overloaded = new InferenceError(ErrorReason.UPSTREAM_OVERLOADED, "busy", { upstreamStatus: 529 });
const wrong = InferenceError.invalid("messages[0]", "is wrong");

function counting(name: string, answer: TokenCount | InferenceError, losses: readonly string[] = []): Upstream {
  return {
    ...stubUpstream(name, []),
    prepareCount: () => ({
      losses,
      send: () => (answer instanceof InferenceError ? Promise.reject(answer) : Promise.resolve(answer)),
    }),
  };
}

function ask(upstreams: readonly Upstream[], strict = false, more: HubInit = {}) {
  const input = createHubInput({ model: "attune/m", strict, ...more });
  const plan = stubPlan(...upstreams);
  return countTokens(
    { id: "i", prompt: { input, historyLength: 0, previousId: undefined, signer: testSigner }, projectId: "p", plan },
    { signal: new AbortController().signal, mayBegin: () => true, estimate: async () => 7 },
  );
}

const ten: TokenCount = { inputTokens: 10, upstreamRequestId: "req_1" };

describe("countTokens()", () => {
  it("tells the count and who counted", async () => {
    expect(await ask([counting("up", ten, ["top_k"])])).toMatchObject({
      inputTokens: 10,
      serving: {
        upstream: "up",
        upstreamModel: "real-m",
        upstreamRequestId: "req_1",
        optimizations: [],
        translationLosses: ["top_k"],
      },
    });
  });

  it("passes over upstreams that do not count, and goes on when one fails", async () => {
    const upstreams = [stubUpstream("silent", []), counting("busy", overloaded), counting("up", ten)];
    expect((await ask(upstreams)).serving).toMatchObject({ upstream: "up", optimizations: ["failover"] });
  });

  it.each<[string, Upstream[], ErrorReason, string]>([
    ["the request is wrong", [counting("up", wrong), counting("b", ten)], wrong.reason, wrong.message],
    ["the last one fails", [counting("up", overloaded)], overloaded.reason, "busy"],
  ])("fails when %s", async (_name, upstreams, reason, message) => {
    await expect(ask(upstreams)).rejects.toMatchObject({ reason, message });
  });

  const unknownPath = (upstreamStatus: number, reason: ErrorReason = ErrorReason.INVALID_REQUEST) =>
    counting("up", new InferenceError(reason, "no such path", { upstreamStatus }));

  it.each<[string, Upstream[]]>([
    ["nobody counts", [stubUpstream("one", []), stubUpstream("two", [])]],
    ["the only one that could does not know how", [stubUpstream("one", []), unknownPath(404, ErrorReason.NOT_FOUND)]],
    ["the method is unknown there", [unknownPath(405)]],
    ["it is not implemented there", [unknownPath(501, ErrorReason.UPSTREAM_ERROR)]],
  ])("estimates where %s, and says so", async (_name, upstreams) => {
    const response = await ask(upstreams, true);
    expect(response).toMatchObject({ inputTokens: 7, estimated: true });
    expect(response.serving).toBeUndefined();
  });

  it("does not say of a model that is unknown to its upstream how long its prompt is", async () => {
    const unknown = counting(
      "up",
      new InferenceError(ErrorReason.MODEL_NOT_FOUND, "no model", { upstreamStatus: 404 }),
    );
    await expect(ask([unknown])).rejects.toMatchObject({ reason: ErrorReason.MODEL_NOT_FOUND });
  });

  it("asks without what bears on the answer alone", async () => {
    let asked: HubInput | undefined;
    const upstream: Upstream = {
      ...stubUpstream("up", []),
      prepareCount: (input) => {
        asked = input;
        return { losses: [], send: () => Promise.resolve(ten) };
      },
    };
    await ask([upstream], true, {
      maxOutputTokens: 5,
      temperature: 1,
      topP: 0.5,
      topK: 3,
      stopSequences: ["x"],
      store: true,
      endUserId: "u",
      metadata: { a: "b" },
      promptCacheKey: "k",
      verbosity: "low",
      logprobs: true,
      topLogprobs: 2,
    });
    expect(asked).toEqual(createHubInput({ model: "attune/m", strict: true }));
  });

  it("refuses a loss in strict mode", async () => {
    await expect(ask([counting("up", ten, ["top_k"])], true)).rejects.toMatchObject({
      reason: ErrorReason.TRANSLATION_LOSS,
      facts: { param: "top_k" },
    });
  });
});
