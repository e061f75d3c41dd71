/** Calls of a type that is new, in answers of a Chat upstream: of one alone, and beside a function's. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Harness, startHarness } from "../harness.ts";
import { dataFrames } from "../topic.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const CALL = '{"id":"call_1","type":"mcp","mcp":{"server":"s","input":"{\\"a\\":1}"}}';
const FUNCTION = '{"id":"call_2","type":"function","function":{"name":"f","arguments":"{}"}}';

const chunk = (choice: string): string =>
  `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[${choice}]}`;
const delta = (json: string): string => chunk(`{"index":0,"delta":${json},"finish_reason":null}`);
const STREAMED = dataFrames(
  delta('{"role":"assistant","content":null}'),
  delta('{"tool_calls":[{"index":0,"id":"call_1","type":"mcp","mcp":{"server":"s","input":""}}]}'),
  delta('{"tool_calls":[{"index":0,"mcp":{"input":"{\\"a\\""}}]}'),
  delta('{"tool_calls":[{"index":0,"mcp":{"input":":1}"}}]}'),
  delta('{"tool_calls":[{"index":1,"id":"call_2","type":"function","function":{"name":"f","arguments":"{}"}}]}'),
  chunk('{"index":0,"delta":{},"finish_reason":"tool_calls"}'),
  '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"real-chat","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}',
  "[DONE]",
);
const whole = (...calls: readonly string[]): string =>
  '{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"real-chat","choices":[{"index":0,"message":' +
  `{"role":"assistant","content":null,"tool_calls":[${calls.join(",")}]},"finish_reason":"tool_calls"}],` +
  '"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}';

const chat = { messages: [{ role: "user", content: "Why?" }] };
const json = (body: string) => ({ status: 200, headers: { "content-type": "application/json" }, steps: [body] });
const sse = { status: 200, headers: { "content-type": "text/event-stream" }, steps: [STREAMED] };

describe("calls of a new type", () => {
  it.each([{ calls: [CALL] }, { calls: [CALL, FUNCTION] }, { calls: [FUNCTION, CALL] }])(
    "reach a Chat caller whole: $calls",
    async ({ calls }) => {
      const question = { inbound: "chat", kind: "openai-chat", request: chat } as const;
      const { status, body, losses } = await harness.ask(question, json(whole(...calls)));
      expect([status, losses]).toEqual([200, []]);
      expect(body).toContain(
        `"message":{"role":"assistant","content":null,"refusal":null,"tool_calls":[${calls.join(",")}]},"logprobs":null,"finish_reason":"tool_calls"`,
      );
    },
  );

  it("reach a Chat caller in a stream, when they are complete", async () => {
    const question = { inbound: "chat", kind: "openai-chat", request: { ...chat, stream: true } } as const;
    const { status, body } = await harness.ask(question, sse);
    expect(status).toBe(200);
    const deltas = [...body.matchAll(/"delta":(\{.*\}),"logprobs":null,"finish_reason":(null|"\w+")/g)];
    expect(deltas.map(([, said, reason]) => [said, reason])).toEqual([
      ['{"role":"assistant","content":null,"refusal":null}', "null"],
      [`{"tool_calls":[{"index":0,${CALL.slice(1)}]}`, "null"],
      ['{"tool_calls":[{"index":1,"id":"call_2","type":"function","function":{"name":"f","arguments":""}}]}', "null"],
      ['{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]}', "null"],
      ["{}", '"tool_calls"'],
    ]);
  });

  it.each([
    { inbound: "responses", request: { input: "Why?" } },
    { inbound: "messages", request: { max_tokens: 64, ...chat } },
  ] as const)("are a named loss for callers of $inbound", async ({ inbound, request }) => {
    const { status, body, losses } = await harness.ask(
      { inbound, kind: "openai-chat", request },
      json(whole(CALL, FUNCTION)),
    );
    expect([status, losses]).toEqual([200, ["answer.content[0].mcp"]]);
    expect(body).toContain("call_2");
    expect(body).not.toContain("call_1");
  });

  it("do not leave a caller of Messages waiting for a call, where there is no other", async () => {
    const { body, losses } = await harness.ask(
      { inbound: "messages", kind: "openai-chat", request: { max_tokens: 64, ...chat } },
      json(whole(CALL)),
    );
    expect(losses).toEqual(["answer.content[0].mcp"]);
    expect(JSON.parse(body)).toMatchObject({ content: [], stop_reason: "end_turn" });
  });

  it("come back to their upstream in a conversation that is continued", async () => {
    const first = await harness.ask(
      { inbound: "responses", kind: "openai-chat", request: { input: "Why?" } },
      json(whole(CALL, FUNCTION)),
    );
    const output = { type: "function_call_output", call_id: "call_2", output: "ok" };
    const { upstreamReceives } = await harness.ask(
      { inbound: "responses", kind: "openai-chat", request: { previous_response_id: first.id, input: [output] } },
      json(whole(FUNCTION)),
    );
    expect(upstreamReceives).toContain(`"messages":[{"role":"user","content":"Why?"},`);
    expect(upstreamReceives).toContain(`"tool_calls":[${CALL},${FUNCTION}]`);
  });
});
