import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { InferenceInputSchema } from "../../gen/attune/inference/v1/inference_pb.ts";
import { countTokens } from "../../src/inference/count-tokens.ts";
import { ErrorReason, InferenceError } from "../../src/inference/error.ts";
import type { TokenCount, Upstream } from "../../src/inference/ports.ts";
import { stubPlan, stubUpstream } from "../support/stub-upstream.ts";

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

function ask(upstreams: readonly Upstream[], strict = false) {
  const input = create(InferenceInputSchema, { model: "attune/m", strict });
  const plan = stubPlan(...upstreams);
  return countTokens(
    { id: "i", prompt: { input, historyLength: 0, previousId: undefined }, projectId: "p", plan },
    { signal: new AbortController().signal, mayBegin: () => true },
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
    [
      "nobody counts",
      [stubUpstream("one", []), stubUpstream("two", [])],
      ErrorReason.NOT_FOUND,
      "the tokens of a prompt cannot be counted for the model 'attune/m': its upstream 'one', 'two' does not count; the usage of an answer tells them",
    ],
    ["the request is wrong", [counting("up", wrong), counting("b", ten)], wrong.reason, wrong.message],
    ["the last one fails", [counting("up", overloaded)], overloaded.reason, "busy"],
  ])("fails when %s", async (_name, upstreams, reason, message) => {
    await expect(ask(upstreams)).rejects.toMatchObject({ reason, message });
  });

  it("refuses a loss in strict mode", async () => {
    await expect(ask([counting("up", ten, ["top_k"])], true)).rejects.toMatchObject({
      reason: ErrorReason.TRANSLATION_LOSS,
      facts: { param: "top_k" },
    });
  });
});
