import { describe, expect, it } from "vitest";
import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import type { DecisionRecord } from "../../../src/hub/decision-record.ts";
import { createHubInput, type HubInit } from "../../../src/hub/input.ts";
import { RequestSummary } from "../../../src/hub/request-summary.ts";
import type { RequestTrace, TracedCall } from "../../../src/hub/request-trace.ts";
import type { Plan, TriableAnswer } from "../../../src/inference/ports.ts";
import { InFlight } from "../../../src/inference/run/in-flight.ts";
import { createInferenceService } from "../../../src/inference/run/service.ts";
import { noConversations } from "../../support/stub-conversations.ts";
import {
  NO_BACKGROUND,
  stubArchive,
  stubModel,
  stubPlace,
  stubRecorder,
  stubRouter,
  stubUpstream,
  textEvents,
} from "../../support/stub-upstream.ts";
import { TEST_KEY } from "../../support/test-signer.ts";

const caller = { principal: { keyId: "k", projectId: "p" }, signal: new AbortController().signal };
const signal = new AbortController().signal;
const decision = { family: "tag:a", arms: ["m", "other"], eligible: [1, 1] } as unknown as DecisionRecord;

const saying = (text: string, losses: string[] = []) => stubUpstream("upstream", [() => [textEvents(text)]], losses);
const other = (text: string, losses: string[] = []) => ({
  ...stubPlace(saying(text, losses)),
  model: { ...stubModel, name: "other" },
});

/** Has a request answered, and returns what is offered for trials. */
async function offered(init: HubInit = {}, plan: Partial<Plan> = {}, trace?: RequestTrace) {
  const recorder = stubRecorder();
  const offers: (() => TriableAnswer | undefined)[] = [];
  const strategy = { kind: "sequence", attempts: [stubPlace(saying("Hello"))] } as const;
  const service = createInferenceService({
    conversations: noConversations,
    estimateTokens: async () => 1,
    signingKey: TEST_KEY,
    recorder,
    router: stubRouter({ model: stubModel, strategy, optimizations: [], decision, ...plan }),
    inFlight: new InFlight(),
    archive: stubArchive(),
    background: NO_BACKGROUND,
    validate: () => {},
    trials: { isSampled: () => true, offer: (make) => void offers.push(make) },
  });
  const summary = new RequestSummary({ requestId: "r", route: "POST /v1/messages", trace }, () => {});
  await service.generate(createHubInput({ model: "attune/m", ...init }), { ...caller, summary });
  return { answers: offers.map((make) => make()), recorder };
}

/** A message that holds one block. */
const message = (role: Role, kind: object) => createHubInput({ messages: [{ role, content: [{ kind }] }] } as HubInit);
const said = (kind: object): HubInit => ({ messages: message(Role.USER, kind).messages });
const calling = { case: "toolUse", value: { id: "1", name: "weather", arguments: "{}" } };
const called = (kind: object): HubInit => {
  const result = { case: "toolResult", value: { toolUseId: "1", content: [{ kind }] } };
  return {
    messages: [message(Role.ASSISTANT, calling), message(Role.USER, result)].flatMap(({ messages }) => messages),
  };
};
const image = { case: "image", value: {} };

describe("triableAnswer()", () => {
  it("offers an answer that was decided on, and asks another model the same without recording it", async () => {
    const { answers, recorder } = await offered();
    const [answer] = answers;
    expect(answer).toMatchObject({ projectId: "p", model: "m", servedModel: "m", decision });
    expect(answer?.response.content).toMatchObject([{ kind: { value: { text: "Hello" } } }]);
    expect(answer?.inferenceId).toBe(recorder.records[0]?.id);
    const tried = await answer?.ask(other("Hallo"), signal);
    expect(tried?.response.content).toMatchObject([{ kind: { value: { text: "Hallo" } } }]);
    expect(tried?.costNanos).toBe(15_000);
    expect(recorder.records).toHaveLength(1);
  });

  it.each([true, false])("tells the trace of its request of each call, where it is sampled: %s", async (isSampled) => {
    const calls: TracedCall[] = [];
    const trace: RequestTrace = {
      traceId: "t",
      spanId: "s",
      isSampled,
      attemptSpanId: () => "a",
      upstreamHeaders: () => undefined,
      addCall: (call) => void calls.push(call),
      child: () => trace,
    };
    const { answers, recorder } = await offered({}, {}, trace);
    await answers[0]?.ask(other("Hallo"), signal);
    await expect(answers[0]?.ask(other("Hallo", ["top_k"]), signal)).rejects.toThrow("lose other parts");
    const place = { purpose: "trial", upstream: "upstream", upstreamModel: "real-m", streamed: false };
    const same = { ...place, inferenceId: recorder.records[0]?.id, latencyMs: expect.any(Number) };
    const completed = { ...same, costNanos: 15_000, usage: { outputTokens: 1 } };
    expect(calls).toMatchObject(isSampled ? [completed, { ...same, error: { message: expect.any(String) } }] : []);
  });

  it.each<readonly [string, HubInit, Partial<Plan>]>([
    ["that nothing was decided on", {}, { decision: undefined }],
    ["of a conversation that goes on with its model", {}, { decision: { ...decision, kept: "conversation" } }],
    ["to a request that has the provider act", { extension: { json: '{"mcp_servers":[{}]}' } }, {}],
    ["to a request with a hosted tool", { tools: [{ kind: { case: "opaque", value: { json: "{}" } } }] }, {}],
    ["after reasoning with state of its maker", said({ case: "thinking", value: { text: "hm", opaque: "x" } }), {}],
    ["after reasoning that only its maker reads", said({ case: "redactedThinking", value: { data: "x" } }), {}],
    ["to an image", said(image), {}],
    ["to a tool's image", called(image), {}],
    ["to a prompt of more than 100,000 tokens", said({ case: "text", value: { text: "x ".repeat(100_004) } }), {}],
  ])("offers no answer %s", async (_, init, plan) => {
    expect((await offered(init, plan)).answers).toEqual([undefined]);
  });

  it("offers an answer after reasoning that everybody reads, and after calls of tools", async () => {
    const reasoning = await offered(said({ case: "thinking", value: { text: "hm" } }));
    const calls = await offered(called({ case: "text", value: { text: "sun" } }));
    expect([...reasoning.answers, ...calls.answers].map((answer) => answer?.model)).toEqual(["m", "m"]);
  });

  it("tells what had come of an answer that broke off", async () => {
    const [answer] = (await offered()).answers;
    const broken = stubUpstream("upstream", [() => [textEvents("Hal").slice(0, 3)]]);
    const asked = answer?.ask({ ...other(""), upstream: broken }, signal);
    await expect(asked).rejects.toMatchObject({ facts: { usage: { outputTokens: 1, estimated: true } } });
  });

  it("does not ask a model that would lose other parts of the request", async () => {
    const [answer] = (await offered()).answers;
    const asked = answer?.ask(other("Hallo", ["top_k"]), signal);
    await expect(asked).rejects.toMatchObject({ message: expect.stringContaining("lose other parts") });
  });
});
