import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { textAnswers } from "./text-upstream.ts";
import { INBOUND, type Inbound } from "./topic.ts";

const SCHEMA = { type: "object", properties: {}, required: [], additionalProperties: false };

/** A conversation with instructions in the middle, a limit and a schema; and what Mistral and DeepSeek lose of it. */
const CASES: Readonly<
  Record<
    Inbound,
    { readonly path: string; readonly request: object; readonly mistral: string; readonly deepseek: string }
  >
> = {
  chat: {
    path: "/v1/chat/completions",
    request: {
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello" },
        { role: "developer", content: "Be kind." },
        { role: "user", content: "Say hello" },
      ],
      max_completion_tokens: 16,
      response_format: { type: "json_schema", json_schema: { name: "n", schema: SCHEMA } },
    },
    mistral: "messages[3].role",
    deepseek: "response_format.json_schema.schema",
  },
  responses: {
    path: "/v1/responses",
    request: {
      instructions: "Be brief.",
      input: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello" },
        { role: "developer", content: "Be kind." },
        { role: "user", content: "Say hello" },
      ],
      max_output_tokens: 16,
      text: { format: { type: "json_schema", name: "n", schema: SCHEMA } },
    },
    mistral: "input[2].role",
    deepseek: "text.format.schema",
  },
  messages: {
    path: "/v1/messages",
    request: {
      system: "Be brief.",
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello" },
        { role: "user", content: "Listen." },
        { role: "system", content: "Be kind." },
      ],
      max_tokens: 16,
      output_config: { format: { type: "json_schema", schema: SCHEMA } },
    },
    mistral: "messages[3].role",
    deepseek: "output_config.format.schema",
  },
};

let upstream: ScriptedUpstream;
let service: TestService;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  const server = (name: string) =>
    `  ${name}: { kind: openai-chat, baseUrl: "${upstream.url}/v1", apiKey: k, profile: ${name} }`;
  const model = (name: string) =>
    `  - { name: ${name}, family: messages, contextWindow: 200000, maxOutputTokens: 4096, deployments: [ { upstream: ${name}, model: real } ] }`;
  const yaml = `upstreams:\n${server("mistral")}\n${server("deepseek")}\nmodels:\n${model("mistral")}\n${model("deepseek")}\n`;
  service = await startTestService({ yaml });
});
afterAll(async () => {
  await service?.close();
  await upstream?.close();
});

async function ask(inbound: Inbound, model: string, stream: boolean, headers = {}) {
  const { path, request } = CASES[inbound];
  const { streamed, whole } = textAnswers()["openai-chat"];
  const json = { "content-type": "application/json" };
  upstream.answer({ streamed: { steps: [streamed] }, whole: { headers: json, steps: [whole] } });
  const calls = upstream.received.length;
  const response = await fetch(service.url + path, {
    method: "POST",
    headers: { ...service.headers, ...headers },
    body: JSON.stringify({ model: `attune/${model}`, ...request, ...(stream && { stream }) }),
  });
  await response.text();
  const body = upstream.received[calls]?.body;
  const losses = response.headers.get("attune-translation-loss")?.split(", ") ?? [];
  return { status: response.status, losses, sent: body === undefined ? undefined : JSON.parse(body) };
}

describe.each(INBOUND)("a caller of %s", (inbound) => {
  it.each([false, true])("reaches Mistral in turns that alternate, and names that (streamed: %s)", async (stream) => {
    const { status, losses, sent } = await ask(inbound, "mistral", stream);
    expect(status).toBe(200);
    const [first, second] = inbound === "messages" ? ["Listen.", "Be kind."] : ["Be kind.", "Say hello"];
    expect(sent.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello" },
      { role: "user", content: `${first}\n\n${second}` },
    ]);
    expect(losses).toContain(CASES[inbound].mistral);
    const { max_tokens, max_completion_tokens, stream_options, response_format } = sent;
    expect({ max_tokens, max_completion_tokens, stream_options }).toEqual({ max_tokens: 16 });
    expect(response_format.type).toBe("json_schema");
  });

  it.each([false, true])(
    "reaches DeepSeek with the form that it takes, and names the schema (streamed: %s)",
    async (stream) => {
      const { status, losses, sent } = await ask(inbound, "deepseek", stream);
      expect(status).toBe(200);
      expect(sent.messages.map(({ role }: { role: string }) => role)).not.toContain("developer");
      expect(sent.response_format).toEqual({ type: "json_object" });
      expect(sent.stream_options).toEqual(stream ? { include_usage: true } : undefined);
      expect(losses).toContain(CASES[inbound].deepseek);
    },
  );

  it("is refused where nothing may be lost", async () => {
    const { status, sent } = await ask(inbound, "mistral", false, { "attune-strict": "true" });
    expect({ status, sent }).toEqual({ status: 400, sent: undefined });
  });
});
