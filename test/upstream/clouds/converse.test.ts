import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Dialect, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, type GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { createUpstreams } from "../../../src/upstream/registry.ts";
import { awsFrame, bedrockException } from "../../support/aws-frame.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../../support/scripted-upstream.ts";
import { sendCall } from "../../support/send-call.ts";
import { stubModel } from "../../support/stub-upstream.ts";
import { cloudUpstream } from "./call-cloud.ts";

const KEYS = { type: "aws", region: "us-east-1", accessKeyId: "AKIDEXAMPLE", secretAccessKey: "aws-secret" } as const;
const MODEL = "us.amazon.nova-pro-v1:0";
const PATH = "/model/us.amazon.nova-pro-v1%3A0";

let scripted: ScriptedUpstream;

beforeEach(async () => {
  scripted = await startScriptedUpstream();
});

afterEach(() => scripted.close());

type Input = Parameters<typeof createHubInput>[0];

const said = (role: Role, ...texts: string[]) => ({
  role,
  content: texts.map((text) => ({ kind: { case: "text" as const, value: { text } } })),
});

const HELLO: Input = { model: "attune/m", messages: [said(Role.USER, "Say hello")] };

/** Calls the upstream once, and returns what it was sent, what was lost, and what came. */
async function call(input: Input = HELLO, { streamed = false, dialect = Dialect.CHAT as Dialect } = {}) {
  const config = cloudUpstream({ kind: "bedrock-converse", baseUrl: scripted.url, auth: KEYS });
  const upstream = createUpstreams({ up: config }, { environment: {} }).get("up");
  if (upstream === undefined) throw new Error("there is no upstream");
  const target = {
    ...{ model: { ...stubModel, maxOutputTokens: 500 }, deployment: { upstream: "up", model: MODEL } },
    ...{ streamed, inferenceId: "i", projectId: "p" },
  };
  const events: GenerateEvent["event"][] = [];
  let losses: readonly string[] = [];
  let error: InferenceError | undefined;
  try {
    const prepared = upstream.prepare(Object.assign(createHubInput(input), { dialect }), target);
    losses = prepared.losses;
    for await (const batch of sendCall(prepared)) events.push(...batch.map(({ event }) => event));
  } catch (thrown) {
    error = InferenceError.from(thrown);
  }
  await upstream.close?.();
  const received = scripted.received.at(-1);
  return { losses, error, received, sent: received && JSON.parse(received.body), ...summarize(events) };
}

function summarize(events: readonly GenerateEvent["event"][]) {
  let [text, thinking, calls] = ["", "", ""];
  let finished: { reason: FinishReason; input: number; output: number; cached: number } | undefined;
  for (const event of events) {
    if (event.case === "blockStart") {
      const { kind } = event.value.block ?? {};
      if (kind?.case === "toolUse") calls += `${kind.value.id} ${kind.value.name} `;
    }
    if (event.case === "blockDelta") {
      const { delta } = event.value;
      if (delta.case === "text") text += delta.value;
      if (delta.case === "summary") thinking += delta.value.text;
      if (delta.case === "arguments") calls += delta.value;
    }
    if (event.case === "finished") {
      const { reason, usage } = event.value;
      const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0 } = usage ?? {};
      finished = { reason, input: inputTokens, output: outputTokens, cached: cacheReadTokens };
    }
  }
  return { text, thinking, calls, finished };
}

const USAGE = { inputTokens: 12, outputTokens: 5, totalTokens: 17, cacheReadInputTokens: 3, cacheWriteInputTokens: 0 };

const whole = (content: readonly object[], stopReason = "end_turn") =>
  wholeAnswer(
    JSON.stringify({
      output: { message: { role: "assistant", content } },
      ...{ stopReason, usage: USAGE, metrics: { latencyMs: 9 } },
    }),
    { "x-amzn-requestid": "aws-1" },
  );

const frame = (event: string, payload: object) =>
  awsFrame(
    { ":event-type": event, ":content-type": "application/json", ":message-type": "event" },
    JSON.stringify({ ...payload, p: "abc" }),
  );

const stream = (...frames: Buffer[]) => ({
  headers: { "content-type": "application/vnd.amazon.eventstream", "x-amzn-requestid": "aws-1" },
  steps: [Buffer.concat(frames)],
});

describe("an upstream of the kind bedrock-converse", () => {
  it("is asked by Converse, signed, and answers whole", async () => {
    scripted.answer(whole([{ text: "Hello" }]));
    const { received, sent, losses, text, finished } = await call({
      ...HELLO,
      system: [{ kind: { case: "text", value: { text: "Be brief" } } }],
      ...{ temperature: 0.5, topP: 0.9, maxOutputTokens: 100, stopSequences: ["END"] },
    });
    expect(received?.path).toBe(`${PATH}/converse`);
    expect(received?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\//);
    expect(sent).toEqual({
      messages: [{ role: "user", content: [{ text: "Say hello" }] }],
      system: [{ text: "Be brief" }],
      inferenceConfig: { maxTokens: 100, temperature: 0.5, topP: 0.9, stopSequences: ["END"] },
    });
    expect(losses).toEqual([]);
    expect([text, finished]).toEqual(["Hello", { reason: FinishReason.STOP, input: 12, output: 5, cached: 3 }]);
  });

  it("answers as a stream, with calls and reasoning in pieces", async () => {
    scripted.answer(
      stream(
        frame("initial-response", {}),
        frame("messageStart", { role: "assistant" }),
        frame("contentBlockDelta", { contentBlockIndex: 0, delta: { reasoningContent: { text: "Hm" } } }),
        frame("contentBlockStop", { contentBlockIndex: 0 }),
        frame("contentBlockDelta", { contentBlockIndex: 1, delta: { text: "Hel" } }),
        frame("contentBlockDelta", { contentBlockIndex: 1, delta: { text: "lo" } }),
        frame("contentBlockStop", { contentBlockIndex: 1 }),
        frame("contentBlockStart", { contentBlockIndex: 2, start: { toolUse: { toolUseId: "t1", name: "get" } } }),
        frame("contentBlockDelta", { contentBlockIndex: 2, delta: { toolUse: { input: '{"a"' } } }),
        frame("contentBlockDelta", { contentBlockIndex: 2, delta: { toolUse: { input: ":1}" } } }),
        frame("contentBlockStop", { contentBlockIndex: 2 }),
        frame("messageStop", { stopReason: "tool_use" }),
        frame("metadata", { usage: USAGE, metrics: { latencyMs: 9 } }),
      ),
    );
    const { received, text, thinking, calls, finished, error } = await call(HELLO, { streamed: true });
    expect(error).toBeUndefined();
    expect(received?.path).toBe(`${PATH}/converse-stream`);
    expect([text, thinking, calls]).toEqual(["Hello", "Hm", 't1 get {"a":1}']);
    expect(finished).toEqual({ reason: FinishReason.TOOL_USE, input: 12, output: 5, cached: 3 });
  });

  it("is told of tools, calls and results", async () => {
    scripted.answer(whole([{ toolUse: { toolUseId: "t2", name: "get", input: { city: "Rome" } } }], "tool_use"));
    const { sent, calls, losses } = await call({
      ...HELLO,
      messages: [
        said(Role.USER, "Weather?"),
        {
          role: Role.ASSISTANT,
          content: [{ kind: { case: "toolUse", value: { id: "t1", name: "get", arguments: '{"city":"Oslo"}' } } }],
        },
        {
          role: Role.TOOL,
          content: [
            { kind: { case: "toolResult", value: { toolUseId: "t1", content: said(Role.USER, "4").content } } },
          ],
        },
      ],
      tools: [
        {
          kind: { case: "function", value: { name: "get", description: "Gets", parametersJson: '{"type":"object"}' } },
        },
      ],
    });
    expect(sent.messages).toEqual([
      { role: "user", content: [{ text: "Weather?" }] },
      { role: "assistant", content: [{ toolUse: { toolUseId: "t1", name: "get", input: { city: "Oslo" } } }] },
      { role: "user", content: [{ toolResult: { toolUseId: "t1", content: [{ text: "4" }] } }] },
    ]);
    expect(sent.toolConfig).toEqual({
      tools: [{ toolSpec: { name: "get", description: "Gets", inputSchema: { json: { type: "object" } } } }],
    });
    expect(losses).toEqual([]);
    expect(calls).toContain("t2 get ");
  });

  it("names what Converse has no place for, whoever calls", async () => {
    scripted.answer(whole([{ text: "Hello" }]));
    const { losses, sent } = await call({
      ...HELLO,
      topK: 5,
      endUserId: "u1",
      outputFormat: { kind: { case: "jsonSchema", value: { name: "a", schemaJson: '{"type":"object"}' } } },
    });
    expect(losses).toEqual(
      ["top_k", "end_user_id", "output_format"].toSorted((a, b) => losses.indexOf(a) - losses.indexOf(b)),
    );
    expect(Object.keys(sent)).toEqual(["messages", "inferenceConfig"]);
    const native = await call(
      { ...HELLO, extension: { dialect: Dialect.MESSAGES, json: '{"container":"c1"}' } },
      { dialect: Dialect.MESSAGES },
    );
    expect(native.losses).toContain("extension.container");
  });

  it("sends images by their bytes, and refuses those that it cannot send", async () => {
    scripted.answer(whole([{ text: "Hello" }]));
    const image = (source: object) => ({
      role: Role.USER,
      content: [{ kind: { case: "image" as const, value: { source } } }],
    });
    const bytes = Buffer.from("png");
    const { sent } = await call({
      ...HELLO,
      messages: [image({ case: "inline", value: { mediaType: "image/png", data: bytes } })] as never,
    });
    expect(sent.messages[0].content).toEqual([
      { image: { format: "png", source: { bytes: bytes.toString("base64") } } },
    ]);
    const { error } = await call({
      ...HELLO,
      messages: [image({ case: "url", value: "https://a.example/b.png" })] as never,
    });
    expect(error).toMatchObject({ reason: ErrorReason.INVALID_REQUEST });
    expect(error?.message).toContain("by their bytes");
  });

  it.each([
    ["content_filtered", FinishReason.REFUSAL],
    ["guardrail_intervened", FinishReason.REFUSAL],
    ["max_tokens", FinishReason.LENGTH],
    ["stop_sequence", FinishReason.STOP_SEQUENCE],
    ["model_context_window_exceeded", FinishReason.CONTEXT_WINDOW],
    ["malformed_tool_use", FinishReason.UNSPECIFIED],
  ])("ends by %s", async (stopReason, reason) => {
    scripted.answer(whole([{ text: "Hello" }], stopReason));
    expect((await call()).finished?.reason).toBe(reason);
  });

  it("fails by the names of AWS, before an answer and inside of one", async () => {
    scripted.answer({
      ...wholeAnswer('{"message":"Too many requests"}', { "x-amzn-errortype": "ThrottlingException:" }),
      status: 429,
    });
    expect((await call()).error).toMatchObject({ reason: ErrorReason.RATE_LIMITED, message: "Too many requests" });
    scripted.answer(
      stream(frame("messageStart", { role: "assistant" }), bedrockException("modelStreamErrorException", "broken")),
    );
    expect((await call(HELLO, { streamed: true })).error).toMatchObject({ reason: ErrorReason.UPSTREAM_ERROR });
    scripted.answer(stream(frame("messageStart", { role: "assistant" })));
    expect((await call(HELLO, { streamed: true })).error).toMatchObject({ reason: ErrorReason.STREAM_INTERRUPTED });
  });

  it("is complete without its usage, which comes behind its end", async () => {
    scripted.answer(
      stream(
        frame("messageStart", { role: "assistant" }),
        frame("contentBlockDelta", { contentBlockIndex: 0, delta: { text: "Hello" } }),
        frame("messageStop", { stopReason: "end_turn" }),
      ),
    );
    const { text, finished, error } = await call(HELLO, { streamed: true });
    expect([error, text, finished?.reason]).toEqual([undefined, "Hello", FinishReason.STOP]);
  });

  it.each(["{", "{}", '{"output":{"message":{"content":["a"]}}}'])("is broken where it answers %s", async (body) => {
    scripted.answer(wholeAnswer(body));
    expect((await call()).error).toMatchObject({ reason: ErrorReason.STREAM_INTERRUPTED });
  });
});
