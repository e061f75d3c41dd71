import Anthropic from "@anthropic-ai/sdk";
import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MessageSchema, Role } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import { startTestService, type TestService, yamlFor } from "../support/service.ts";

let upstream: ScriptedUpstream;
let service: TestService;
let sandbox: TestService;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  const yaml = yamlFor(upstream.url).replaceAll(/family: \w+/g, "family: messages");
  [service, sandbox] = await Promise.all([startTestService({ yaml }), startTestService()]);
});

afterAll(() => Promise.all([service.close(), sandbox.close(), upstream.close()]));

const json = { "content-type": "application/json", "request-id": "req_42" };

async function count({ url, headers }: TestService, body: object, query = "") {
  const response = await fetch(`${url}/v1/messages/count_tokens${query}`, {
    method: "POST",
    headers: { ...headers, "anthropic-beta": "context-management-2025-06-27" },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const PROMPT = {
  model: "attune/messenger",
  system: "Be brief.",
  tools: [{ name: "f", input_schema: { type: "object" }, cache_control: { type: "ephemeral", ttl: "1h" } }],
  tool_choice: { type: "any" },
  thinking: { type: "adaptive" },
  messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
};

describe("POST /v1/messages/count_tokens", () => {
  it.each(["", "?beta=true"])(
    "asks an Anthropic upstream, without what bears on the answer alone %s",
    async (query) => {
      upstream.answer({ headers: json, steps: ['{"input_tokens":2095,"context_management":null}'] });
      const answerOnly = {
        max_tokens: 5,
        stream: true,
        temperature: 1,
        stop_sequences: ["x"],
        metadata: { user_id: "u" },
        service_tier: "auto",
      };
      const answer = await count(service, { ...PROMPT, ...answerOnly }, query);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ input_tokens: 2095, context_management: null });
      expect(answer.headers.get("attune-served-by")).toBe("messages");
      expect(answer.headers.get("attune-token-count")).toBe("exact");
      expect(answer.headers.get("attune-upstream-request-id")).toBe("req_42");
      expect(answer.headers.get("attune-translation-loss")).toBeNull();
      const received = upstream.received.at(-1);
      expect(received?.path).toBe("/v1/messages/count_tokens");
      expect(received?.headers).toMatchObject({
        accept: "application/json",
        "x-api-key": "sk-ant-upstream-secret",
        "anthropic-version": "2023-06-01",
        "anthropic-beta": "context-management-2025-06-27",
      });
      expect(received?.body).toBe(
        '{"model":"real-messenger","system":"Be brief.","messages":[{"role":"user","content":"Hi"}],' +
          '"tools":[{"name":"f","input_schema":{"type":"object"},"cache_control":{"type":"ephemeral","ttl":"1h"}}],' +
          '"tool_choice":{"type":"any"},"thinking":{"type":"adaptive"}}',
      );
    },
  );

  it("tells of the upstream's failure in the format's own envelope", async () => {
    const error = '{"type":"error","error":{"type":"rate_limit_error","message":"slow down"},"request_id":"req_42"}';
    upstream.answer({ status: 429, headers: { ...json, "retry-after": "3" }, steps: [error] });
    const { status, headers, body } = await count(service, PROMPT);
    expect(status).toBe(429);
    expect(headers.get("retry-after")).toBe("3");
    expect(body).toEqual({
      type: "error",
      error: { type: "rate_limit_error", message: "slow down" },
      request_id: headers.get("request-id"),
    });
  });

  it("asks a Responses upstream in its own words", async () => {
    upstream.answer({ headers: json, steps: ['{"object":"response.input_tokens","input_tokens":31}'] });
    const { status, headers, body } = await count(service, { ...PROMPT, model: "attune/responder", temperature: 1 });
    expect(status).toBe(200);
    expect(body).toEqual({ input_tokens: 31 });
    expect(headers.get("attune-token-count")).toBe("exact");
    expect(upstream.received.at(-1)?.path).toBe("/v1/responses/input_tokens");
    expect(JSON.parse(upstream.received.at(-1)?.body ?? "")).toEqual({
      model: "real-responder",
      instructions: "Be brief.",
      input: [{ type: "message", role: "user", content: "Hi" }],
      tools: [{ type: "function", name: "f", parameters: { type: "object", properties: {} }, strict: false }],
      tool_choice: "required",
    });
  });

  it("estimates for an upstream that does not count, and says so", async () => {
    const before = upstream.received.length;
    // Of the o200k vocabulary: "Be| brief|." 3, "Hi" 1, "f" 1, `{"|type|":"|object|"}` 5.
    const { status, headers, body } = await count(service, { ...PROMPT, model: "attune/chatty" });
    expect(status).toBe(200);
    expect(body).toEqual({ input_tokens: 29 });
    expect(headers.get("attune-token-count")).toBe("estimated");
    expect(headers.get("attune-served-by")).toBeNull();
    expect(upstream.received).toHaveLength(before);
  });

  it("estimates for a service that speaks the format without its count", async () => {
    upstream.answer({ status: 404, headers: json, steps: ['{"detail":"Not Found"}'] });
    const { status, headers, body } = await count(service, PROMPT);
    expect({ status, body }).toEqual({ status: 200, body: { input_tokens: 29 } });
    expect(headers.get("attune-token-count")).toBe("estimated");
  });

  it.each<[string, object, string]>([
    ["without a model", { model: undefined }, "model: is required: a string"],
    ["without messages", { messages: [] }, "messages: must hold at least one message"],
    ["with a stream that is no boolean", { stream: "yes" }, "stream: must be true or false, not a string"],
  ])("refuses a request %s", async (_what, change, message) => {
    const { status, body } = await count(service, { ...PROMPT, ...change });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { type: "invalid_request_error", message: expect.stringContaining(message) } });
  });

  it.each(["/v1/messages", "/v1/messages/count_tokens"])(
    "refuses an unknown version of the API at %s",
    async (path) => {
      const response = await fetch(`${service.url}${path}`, {
        method: "POST",
        headers: { ...service.headers, "anthropic-version": "2024-01-01" },
        body: JSON.stringify({ ...PROMPT, max_tokens: 5 }),
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        error: {
          type: "invalid_request_error",
          message: "the header 'anthropic-version' must be one of '2023-06-01', '2026-10-21', not '2024-01-01'",
        },
      });
    },
  );

  it("refuses an unknown key", async () => {
    const { status } = await count({ ...service, headers: { ...service.headers, authorization: "Bearer x" } }, PROMPT);
    expect(status).toBe(401);
  });
});

describe("POST /v1/responses/input_tokens", () => {
  const client = (): OpenAI => new OpenAI({ baseURL: `${service.url}/v1`, apiKey: service.key, maxRetries: 0 });
  const input = [{ role: "user" as const, content: "Hi" }];

  it("asks a Responses upstream for what the caller asks", async () => {
    upstream.answer({ headers: json, steps: ['{"object":"response.input_tokens","input_tokens":31,"x_cached":4}'] });
    const asked = { model: "attune/responder", input, truncation: "auto" as const, personality: "friendly" };
    const { data, response } = await client().responses.inputTokens.count(asked).withResponse();
    expect(data).toEqual({ object: "response.input_tokens", input_tokens: 31, x_cached: 4 });
    expect(response.headers.get("attune-token-count")).toBe("exact");
    expect(upstream.received.at(-1)?.path).toBe("/v1/responses/input_tokens");
    expect(JSON.parse(upstream.received.at(-1)?.body ?? "")).toEqual({
      model: "real-responder",
      input: [{ type: "message", role: "user", content: "Hi" }],
      truncation: "auto",
      personality: "friendly",
    });
  });

  it("asks an Anthropic upstream", async () => {
    upstream.answer({ headers: json, steps: ['{"input_tokens":9}'] });
    const asked = { model: "attune/messenger", input, instructions: "Be brief." };
    expect(await client().responses.inputTokens.count(asked)).toEqual({
      object: "response.input_tokens",
      input_tokens: 9,
    });
    expect(upstream.received.at(-1)?.path).toBe("/v1/messages/count_tokens");
    expect(upstream.received.at(-1)?.body).toBe(
      '{"model":"real-messenger","system":"Be brief.","messages":[{"role":"user","content":"Hi"}]}',
    );
  });

  it("estimates for a Chat upstream", async () => {
    const { data, response } = await client()
      .responses.inputTokens.count({ model: "attune/chatty", input })
      .withResponse();
    expect(data).toEqual({ object: "response.input_tokens", input_tokens: 4 });
    expect(response.headers.get("attune-token-count")).toBe("estimated");
  });

  it("counts the conversation that a stored response goes on with", async () => {
    const model = "attune/claude-haiku-5-5";
    const openai = new OpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: sandbox.key, maxRetries: 0 });
    const first = await openai.responses.create({ model, input, max_output_tokens: 20 });
    const alone = await openai.responses.inputTokens.count({ model, input });
    const next = { model, input, previous_response_id: first.id };
    const continued = await openai.responses.inputTokens.count(next);
    expect(continued.input_tokens).toBe(2 * alone.input_tokens + (first.usage?.output_tokens ?? Number.NaN));
    const { usage } = await openai.responses.create({ ...next, max_output_tokens: 1 });
    expect(continued.input_tokens).toBe(usage?.input_tokens);
  });

  it.each([
    [{ model: "attune/responder" }, "input"],
    [{ input }, "model"],
  ])("names what is missing in %j", async (body, param) => {
    const answer = fetch(`${service.url}/v1/responses/input_tokens`, {
      method: "POST",
      headers: service.headers,
      body: JSON.stringify(body),
    });
    expect(await (await answer).json()).toMatchObject({ error: { type: "invalid_request_error", param } });
  });
});

// Hard case 37 of the formats.
describe("counting with the sandbox", () => {
  const model = "attune/claude-haiku-5-5";
  const prompts: readonly [string, Omit<Anthropic.MessageCreateParamsNonStreaming, "model" | "max_tokens">][] = [
    ["a word", { messages: [{ role: "user", content: "hi" }] }],
    [
      "a whole prompt",
      {
        system: [{ type: "text", text: "Be brief. ".repeat(800), cache_control: { type: "ephemeral" } }],
        tools: [{ name: "get_weather", description: "Weather", input_schema: { type: "object" } }],
        messages: [
          { role: "user", content: "Grüße 🌍" },
          { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "get_weather", input: { a: 1 } }] },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "rain" }] },
        ],
      },
    ],
  ];

  it.each(prompts)("case 37: gives %s the tokens that its usage will have", async (_what, prompt) => {
    const client = new Anthropic({ baseURL: sandbox.url, apiKey: sandbox.key, maxRetries: 0 });
    const counted = await client.messages.countTokens({ model, ...prompt });
    const beta = await client.beta.messages.countTokens({ model, ...prompt });
    const { usage } = await client.messages.create({ model, max_tokens: 5, ...prompt });
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage;
    expect(counted.input_tokens).toBeGreaterThan(0);
    expect(counted).toEqual({
      input_tokens: input_tokens + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0),
    });
    expect(beta).toEqual(counted);
  });

  it("fails as its directive says", async () => {
    const { status } = await count(sandbox, { ...PROMPT, model: `${model}:sandbox-overload` });
    expect(status).toBe(529);
  });

  it("counts over RPC", async () => {
    const client = createClient(InferenceService, createConnectTransport({ baseUrl: sandbox.url, httpVersion: "1.1" }));
    const messages = [
      create(MessageSchema, { role: Role.USER, content: [{ kind: { case: "text", value: { text: "hi" } } }] }),
    ];
    const headers = { authorization: `Bearer ${sandbox.key}` };
    const counted = await client.countTokens({ input: { model, messages } }, { headers });
    expect(counted.inputTokens).toBe(1);
    expect(counted.serving?.upstream).toBe("sandbox");
  });
});
