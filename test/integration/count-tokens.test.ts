import Anthropic from "@anthropic-ai/sdk";
import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
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

  it.each(["attune/chatty", "attune/responder"])("says that the upstream of %s does not count", async (model) => {
    const before = upstream.received.length;
    const { status, body } = await count(service, { ...PROMPT, model });
    expect(status).toBe(404);
    expect(body).toMatchObject({
      type: "error",
      error: {
        type: "not_found_error",
        message: expect.stringContaining(`cannot be counted for the model '${model}': its upstream`),
      },
    });
    expect(upstream.received).toHaveLength(before);
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
