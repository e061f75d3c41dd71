import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect, ReasoningSchema, ThinkingMode } from "../../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, type GenerateEvent } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { decodeRequest } from "../../../../src/formats/chat/request/decode-request.ts";
import { encodeRequest } from "../../../../src/formats/chat/request/encode-request.ts";
import { withOutputLimit } from "../../../../src/formats/shared/output-limit/with-output-limit.ts";
import { blockDeltaEvent, blockEndEvent, blockStartEvent, finishedEvent } from "../../../../src/hub/events.ts";
import { createHubInput, type HubInit, type HubInput } from "../../../../src/hub/input.ts";
import type { Upstream, UpstreamTarget } from "../../../../src/hub/upstream.ts";

const target: UpstreamTarget = {
  model: {
    name: "m",
    displayName: "m",
    family: "chat",
    purpose: "test",
    createdAt: new Date(0),
    deployments: [],
    contextWindow: 200_000,
    maxOutputTokens: 8192,
    minCacheableTokens: 0,
  },
  deployment: { upstream: "u", model: "up" },
  streamed: true,
  inferenceId: "i",
  projectId: "p",
};

/** An upstream that answers with a text of eight characters, and what it is asked. */
function limited(init: HubInit, hasBudget = true) {
  const asked: HubInput[] = [];
  const upstream: Upstream = {
    name: "u",
    prepare: (input) => {
      asked.push(input);
      return { losses: ["top_k"], send: async (sink) => void (await sink(answer())) };
    },
    fingerprint: (input) => String(input.maxOutputTokens),
  };
  const within = withOutputLimit(upstream, { leastTokens: 16, hasBudget });
  const input = createHubInput(init);
  const call = within.prepare(input, target);
  return { call, input: asked[0], fingerprint: within.fingerprint?.(input, target) };
}

const answer = (): GenerateEvent[] => [
  blockStartEvent(0, { kind: { case: "text", value: {} } }),
  blockDeltaEvent(0, { case: "text", value: "12345678" }),
  blockEndEvent(0),
  finishedEvent({ reason: FinishReason.STOP, rawReason: "stop" }),
];

describe("withOutputLimit()", () => {
  it.each([undefined, 16, 8192])("leaves a limit of %s alone", async (maxOutputTokens) => {
    const { call, input, fingerprint } = limited({ maxOutputTokens });
    expect([input?.maxOutputTokens, call.losses]).toEqual([maxOutputTokens, ["top_k"]]);
    expect(fingerprint).toBe(String(maxOutputTokens));
    await call.send((events) => expect(events).toEqual(answer()), new AbortController().signal);
  });

  it("lowers one to the model's own, and names that in the order of the request", async () => {
    const { call, input } = limited({ maxOutputTokens: 100_000 });
    expect([input?.maxOutputTokens, call.losses]).toEqual([8192, ["max_output_tokens", "top_k"]]);
    await call.send((events) => expect(events).toEqual(answer()), new AbortController().signal);
  });

  it("raises one that is too low, and cuts the answer to it", async () => {
    const { call, input } = limited({ maxOutputTokens: 1 });
    expect([input?.maxOutputTokens, call.losses]).toEqual([16, ["max_output_tokens", "top_k"]]);
    const got: GenerateEvent[] = [];
    await call.send((events) => void got.push(...events), new AbortController().signal);
    expect(got[1]).toEqual(blockDeltaEvent(0, { case: "text", value: "1234" }));
    expect(got.at(-1)?.event.value).toMatchObject({ reason: FinishReason.LENGTH });
  });

  it("tells apart requests that are asked alike and cut differently", () => {
    const prints = [1, 2, 16].map((maxOutputTokens) => limited({ maxOutputTokens }).fingerprint);
    expect(new Set(prints).size).toBe(3);
  });

  it("keeps a budget of thinking within a limit that is lowered", () => {
    const reasoning = (budgetTokens: number) => create(ReasoningSchema, { mode: ThinkingMode.ENABLED, budgetTokens });
    const lowered = limited({ maxOutputTokens: 20_000, reasoning: reasoning(10_000) });
    expect(lowered.input?.reasoning?.budgetTokens).toBe(8191);
    expect(lowered.call.losses).toEqual(["max_output_tokens", "top_k", "reasoning.budget_tokens"]);
    expect(limited({ maxOutputTokens: 20_000, reasoning: reasoning(2000) }).input?.reasoning?.budgetTokens).toBe(2000);
    const effort = limited({ maxOutputTokens: 20_000, reasoning: reasoning(10_000) }, false);
    expect(effort.input?.reasoning?.budgetTokens).toBe(10_000);
    expect(effort.call.losses).toEqual(["max_output_tokens", "top_k"]);
  });

  it.each([
    [{ max_tokens: 100_000 }, { max_tokens: 8192 }],
    [{ max_completion_tokens: 100_000, max_tokens: 9000 }, { max_tokens: 8192 }],
    [
      { max_completion_tokens: 9000, max_tokens: 5 },
      { max_completion_tokens: 8192, max_tokens: 5 },
    ],
  ])("lowers the older name of a Chat caller too: %j", (said, sent) => {
    const { input } = decodeRequest({ model: "m", messages: [{ role: "user", content: "x" }], ...said });
    const asked = limited({ ...input, dialect: Dialect.CHAT }).input;
    const { max_tokens, max_completion_tokens } = encodeRequest(asked ?? createHubInput(), target).body;
    expect({ max_tokens, max_completion_tokens }).toEqual({ max_completion_tokens: undefined, ...sent });
  });
});
