import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { chatFrames } from "../support/upstream-frames.ts";

const TOTAL_MS = 400;
/** The time after which the answer of a stream that has begun goes on. */
const SILENCE_MS = 700;

const FRAMES = chatFrames([{ role: "assistant", content: "one" }, { content: " two" }], "stop");

const WHOLE = JSON.stringify({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "fine" }, finish_reason: "stop" }],
});

function yaml(url: string): string {
  const places = ["a", "b", "c"];
  const upstream = (name: string) =>
    `  ${name}: { kind: openai-chat, baseUrl: "${url}/v1", apiKey: k, timeouts: { firstByteMs: 250 } }`;
  const model = (name: string, upstreams: readonly string[], more = "") =>
    `  - { name: ${name}, family: chat, contextWindow: 1000, maxOutputTokens: 100, ${more}` +
    `deployments: [${upstreams.map((place) => `{ upstream: ${place}, model: ${name} }`).join(", ")}] }`;
  return [
    `routing: { totalMs: ${TOTAL_MS}, failoverShare: 1, retryShare: 1 }`,
    "upstreams:",
    ...places.map(upstream),
    `  patient: { kind: openai-chat, baseUrl: "${url}/v1", apiKey: k }`,
    "models:",
    model("never", places, "optimizations: { choice: false }, "),
    model("one", ["patient"], "candidates: { max: 2 }, "),
    model("slow-stream", ["patient"]),
  ].join("\n");
}

describe("the time of a whole call", () => {
  let upstream: ScriptedUpstream;
  let service: TestService;

  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    upstream.answerBy((_path, body) => {
      const { model, messages } = JSON.parse(body);
      if (model !== "slow-stream") {
        const isFirst = upstream.received.length === 1;
        return messages[0].content === "first" && isFirst ? wholeAnswer(WHOLE) : { steps: [], hang: true };
      }
      // Its role, and its first word.
      const steps = [...FRAMES.slice(0, 2), { waitMs: SILENCE_MS }, ...FRAMES.slice(2)];
      return { headers: { "content-type": "text/event-stream" }, steps };
    });
    service = await startTestService({ yaml: yaml(upstream.url) });
    // The first call of a process takes longer than others.
    await ask("slow-stream", { stream: true });
  });

  afterAll(async () => {
    await service.close();
    await upstream.close();
  });

  async function ask(model: string, members: object = {}, headers: Record<string, string> = {}) {
    const beganMs = performance.now();
    const body = { model: `attune/${model}`, messages: [{ role: "user", content: "hi" }], ...members };
    const answer = await fetch(`${service.url}/v1/chat/completions`, {
      method: "POST",
      headers: { ...service.headers, ...headers },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, text, ms: performance.now() - beganMs };
  }

  it.each<[string, string, object, Record<string, string>?]>([
    ["several deployments that never answer", "never", {}],
    ["a stream that does not begin", "never", { stream: true }],
    ["several choices", "one", { n: 2 }],
    ["several candidates", "one", {}, { "attune-candidates": "2" }],
  ])("is bounded with %s", async (_, model, members, headers = {}) => {
    const { status, text, ms } = await ask(model, members, headers);
    expect(status).toBe(504);
    expect(JSON.parse(text).error).toMatchObject({
      code: "deadline_exceeded",
      message: `the answer was not there after ${TOTAL_MS} ms, which is routing.totalMs`,
    });
    expect(ms).toBeGreaterThanOrEqual(TOTAL_MS);
    expect(ms).toBeLessThan(TOTAL_MS + 15_000);
  });

  it("gives the candidate that there is", async () => {
    upstream.received.length = 0;
    const messages = [{ role: "user", content: "first" }];
    const { status, text, ms } = await ask("one", { messages }, { "attune-candidates": "2" });
    expect([status, JSON.parse(text).choices?.[0].message.content]).toEqual([200, "fine"]);
    expect(ms).toBeGreaterThanOrEqual(TOTAL_MS);
    expect(ms).toBeLessThan(TOTAL_MS + 15_000);
  });

  it("asks the next deployment meanwhile, and leaves the last one at the end", async () => {
    upstream.received.length = 0;
    await ask("never");
    expect(upstream.received).toHaveLength(2);
    await upstream.received[1]?.aborted;
  });

  it.each(["x-request-timeout", "x-stainless-timeout", "x-stainless-read-timeout"])(
    "is bounded by %s",
    async (name) => {
      const { status, text, ms } = await ask("one", {}, { [name]: "0.1" });
      expect(status).toBe(504);
      expect(JSON.parse(text).error.message).toBe("the caller's deadline passed before the answer was complete");
      expect(ms).toBeLessThan(TOTAL_MS + 15_000);
    },
  );

  it("tells of a header that says no time", async () => {
    const { status, text } = await ask("one", {}, { "x-request-timeout": "soon" });
    expect([status, JSON.parse(text).error.message]).toEqual([
      400,
      "the header 'x-request-timeout' must be a number of seconds such as 30, or 1500ms",
    ]);
  });

  it("does not end a stream that has begun", async () => {
    const { status, text } = await ask("slow-stream", { stream: true }, { "x-request-timeout": "300ms" });
    expect(status).toBe(200);
    expect(text).toContain(" two");
    expect(text.trimEnd()).toMatch(/data: \[DONE\]$/);
  });

  it("counts over RPC beside its deadline", async () => {
    const transport = createConnectTransport({ baseUrl: service.url, httpVersion: "1.1" });
    const client = createClient(InferenceService, transport);
    const input = {
      model: "attune/one",
      messages: [{ content: [{ kind: { case: "text" as const, value: { text: "hi" } } }] }],
    };
    const headers = { authorization: service.headers["authorization"] ?? "" };
    for (const timeoutMs of [undefined, 150]) {
      const beganMs = performance.now();
      const options = { headers, ...(timeoutMs !== undefined && { timeoutMs }) };
      const failure = await client
        .generate({ input: { ...input, messages: [{ ...input.messages[0], role: 1 }] } }, options)
        .catch((thrown) => ConnectError.from(thrown));
      expect(failure).toMatchObject({ code: Code.DeadlineExceeded });
      expect(performance.now() - beganMs).toBeLessThan((timeoutMs ?? TOTAL_MS) + 15_000);
    }
  });
});
