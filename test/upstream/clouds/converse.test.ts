import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Dialect, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason } from "../../../src/hub/error.ts";
import { bedrockException } from "../../support/aws-frame.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../../support/scripted-upstream.ts";
import { callConverse, frame, HELLO, type Input, PATH, said, stream, USAGE, whole } from "./call-converse.ts";

let scripted: ScriptedUpstream;

beforeEach(async () => {
  scripted = await startScriptedUpstream();
});

afterEach(() => scripted.close());

const call = (input?: Input, options?: Parameters<typeof callConverse>[2]) => callConverse(scripted, input, options);

describe("an upstream of the kind bedrock-converse", () => {
  it("is asked by Converse, signed, and answers whole", async () => {
    scripted.answer(whole([{ text: "Hello" }]));
    const { received, sent, losses, text, finished } = await call({
      ...HELLO,
      system: [{ kind: { case: "text", value: { text: "Be brief" } } }],
      temperature: 0.5,
      topP: 0.9,
      maxOutputTokens: 100,
      stopSequences: ["END"],
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

  it("is told of the tools that were called where the request names none, which is a loss", async () => {
    scripted.answer(whole([{ text: "It is 4 degrees" }]));
    const called = (id: string, name: string) => ({
      kind: { case: "toolUse" as const, value: { id, name, arguments: "{}" } },
    });
    const result = (id: string) => ({
      kind: { case: "toolResult" as const, value: { toolUseId: id, content: said(Role.USER, "4").content } },
    });
    const messages = [
      said(Role.USER, "Weather?"),
      { role: Role.ASSISTANT, content: [called("t1", "get"), called("t2", "find"), called("t3", "get")] },
      { role: Role.TOOL, content: [result("t1"), result("t2"), result("t3")] },
    ];
    const { sent, losses } = await call({ ...HELLO, messages });
    const inputSchema = { json: { type: "object" } };
    expect(sent.toolConfig).toEqual({
      tools: [{ toolSpec: { name: "get", inputSchema } }, { toolSpec: { name: "find", inputSchema } }],
    });
    expect(losses).toEqual(["tool_choice"]);
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
    expect(error?.message).toContain("only inline");
  });

  it.each([
    ["content_filtered", FinishReason.CONTENT_FILTER],
    ["guardrail_intervened", FinishReason.CONTENT_FILTER],
    ["max_tokens", FinishReason.LENGTH],
    ["stop_sequence", FinishReason.STOP_SEQUENCE],
    ["model_context_window_exceeded", FinishReason.CONTEXT_WINDOW],
    ["novel", FinishReason.UNSPECIFIED],
  ])("ends by %s", async (stopReason, reason) => {
    scripted.answer(whole([{ text: "Hello" }], stopReason));
    const { finished, rawReason } = await call();
    expect([finished?.reason, rawReason]).toEqual([reason, stopReason]);
  });

  it.each(["malformed_tool_use", "malformed_model_output"])("fails where it ends by %s", async (stopReason) => {
    scripted.answer(whole([{ text: "Hello" }], stopReason));
    expect((await call()).error).toMatchObject({ reason: ErrorReason.UPSTREAM_ERROR });
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
