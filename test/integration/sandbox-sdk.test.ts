import type Anthropic from "@anthropic-ai/sdk";
import type OpenAI from "openai";
import { zodResponseFormat, zodTextFormat } from "openai/helpers/zod";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readWhenWritten } from "../support/read-when-written.ts";
import { clientsOf, sendFeedback, UUID } from "../support/sdk-fixture.ts";
import { startTestService, type TestService } from "../support/service.ts";

const model = "attune/claude-haiku-5-5";
const parameters = { type: "object" as const, properties: { city: { type: "string" } }, required: ["city"] };
const question = "What is the weather in both cities?";
const City = z.object({ city: z.string(), degrees: z.number().int() });

let service: TestService;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  service = await startTestService();
  const clients = clientsOf(service);
  openai = clients.openai();
  anthropic = clients.anthropic();
});

afterAll(() => service.close());

const chatTools: OpenAI.Chat.ChatCompletionFunctionTool[] = ["get_weather", "get_time"].map((name) => ({
  type: "function",
  function: { name, parameters },
}));
const responsesTools: OpenAI.Responses.FunctionTool[] = ["get_weather", "get_time"].map((name) => ({
  type: "function",
  name,
  parameters,
  strict: false,
}));
const messagesTools: Anthropic.Tool[] = ["get_weather", "get_time"].map((name) => ({ name, input_schema: parameters }));
const final =
  "This is Attune's sandbox, not a model. The tool get_weather returned: 4 The tool get_time returned: noon";
const results = ["4", "noon"];

describe("without a configuration", () => {
  it("goes through a loop of tools with chat.completions", async () => {
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: "user", content: question }];
    const asked = await openai.chat.completions.stream({ model, messages, tools: chatTools }).finalChatCompletion();
    const answer = asked.choices[0]?.message;
    const calls = (answer?.tool_calls ?? []).filter((call) => call.type === "function");
    expect(calls.map((call) => call.function.name)).toEqual(["get_weather", "get_time"]);
    for (const call of calls) {
      expect(JSON.parse(call.function.arguments)).toEqual({ city: expect.any(String) });
    }
    if (answer !== undefined) messages.push(answer);
    for (const [index, { id }] of calls.entries()) {
      messages.push({ role: "tool", tool_call_id: id, content: results[index] ?? "" });
    }
    const last = await openai.chat.completions.create({ model, messages, tools: chatTools });
    expect(last.choices[0]?.message.content).toBe(final);
    expect(last.choices[0]?.finish_reason).toBe("stop");
  });

  it("goes through a loop of tools with responses", async () => {
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: question }];
    const asked = await openai.responses.stream({ model, input, tools: responsesTools }).finalResponse();
    const calls = asked.output.filter((item) => item.type === "function_call");
    expect(calls.map(({ name }) => name)).toEqual(["get_weather", "get_time"]);
    input.push(...(asked.output as OpenAI.Responses.ResponseInputItem[]));
    for (const [index, { call_id }] of calls.entries()) {
      input.push({ type: "function_call_output", call_id, output: results[index] ?? "" });
    }
    const last = await openai.responses.create({ model, input, tools: responsesTools });
    expect(last.output_text).toBe(final);
    expect(last.status).toBe("completed");
  });

  it("goes through a loop of tools with messages, thinking included", async () => {
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: question }];
    const body = { model, max_tokens: 500, tools: messagesTools, thinking: { type: "adaptive" as const } };
    const asked = await anthropic.messages.stream({ ...body, messages }).finalMessage();
    expect(asked.content.map(({ type }) => type)).toEqual(["thinking", "tool_use", "tool_use"]);
    expect(asked.stop_reason).toBe("tool_use");
    const calls = asked.content.filter((block) => block.type === "tool_use");
    messages.push({ role: "assistant", content: asked.content });
    messages.push({
      role: "user",
      content: calls.map(({ id }, index) => ({ type: "tool_result", tool_use_id: id, content: results[index] ?? "" })),
    });
    const { data, response } = await anthropic.messages.create({ ...body, messages }).withResponse();
    expect(data.content.at(-1)).toMatchObject({ type: "text", text: final });
    expect(response.headers.get("attune-served-by")).toBe("sandbox");
    expect(response.headers.get("attune-translation-loss")).toBeNull();
  });

  it("gives structured output that the SDKs parse", async () => {
    const messages = [{ role: "user" as const, content: "Oslo" }];
    const chat = await openai.chat.completions.parse({
      model,
      messages,
      response_format: zodResponseFormat(City, "c"),
    });
    expect(City.safeParse(chat.choices[0]?.message.parsed).success).toBe(true);
    const responses = await openai.responses.parse({
      model,
      input: "Oslo",
      text: { format: zodTextFormat(City, "c") },
    });
    expect(City.safeParse(responses.output_parsed).success).toBe(true);
    const schema = { ...z.toJSONSchema(City) };
    const format = { type: "json_schema" as const, schema };
    const message = await anthropic.messages.create({ model, max_tokens: 99, messages, output_config: { format } });
    const [block] = message.content;
    expect(City.safeParse(JSON.parse(block?.type === "text" ? block.text : "null")).success).toBe(true);
  });

  it("counts the same tokens in the three formats, streamed or not", async () => {
    const messages = [{ role: "user" as const, content: "Count me." }];
    const chat = await openai.chat.completions.create({ model, messages });
    const streamed = openai.chat.completions.stream({ model, messages, stream_options: { include_usage: true } });
    expect((await streamed.finalChatCompletion()).usage).toEqual(chat.usage);
    const { prompt_tokens = 0, completion_tokens = 0, total_tokens } = chat.usage ?? {};
    expect(prompt_tokens).toBeGreaterThan(0);
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    const { usage: responses } = await openai.responses.create({ model, input: messages });
    expect(responses).toMatchObject({ input_tokens: prompt_tokens, output_tokens: completion_tokens, total_tokens });
    const body = { model, max_tokens: 500, messages };
    const { usage: whole } = await anthropic.messages.create(body);
    const { usage: end } = await anthropic.messages.stream(body).finalMessage();
    for (const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } of [whole, end]) {
      const prompt = input_tokens + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0);
      expect([prompt, output_tokens]).toEqual([prompt_tokens, completion_tokens]);
    }
  });

  it("takes feedback on an answer that is still under way, and records it under the same id", async () => {
    const messages = [{ role: "user" as const, content: "Slowly." }];
    const stream = await openai.chat.completions.create({ model: `${model}:sandbox-slow=20`, messages, stream: true });
    const ids = new Set<string>();
    for await (const { id } of stream) {
      if (ids.size === 0) expect(await sendFeedback(service, id)).toBeNull();
      ids.add(id);
    }
    const [id = ""] = ids;
    expect(ids.size).toBe(1);
    expect(id).toMatch(UUID);
    const { row } = await readWhenWritten(service.store, id);
    expect(row).toMatchObject({ id, status: "completed", dialect: "chat", streamed: true, upstream: "sandbox" });
  });
});

describe("simple orders to the sandbox", () => {
  const refuse = "Please refuse this.";
  const refusal = "The sandbox was asked to refuse.";
  const order = 'Call get_time with city "Oslo", then get_weather with "Rome".';
  const wanted = [
    ["get_time", { city: "Oslo" }],
    ["get_weather", { city: "Rome" }],
  ];

  it("are followed in chat.completions", async () => {
    const refused = await openai.chat.completions.create({ model, messages: [{ role: "user", content: refuse }] });
    expect(refused.choices[0]).toMatchObject({ message: { content: null, refusal }, finish_reason: "stop" });
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: "user", content: order }];
    const { choices } = await openai.chat.completions.create({ model, messages, tools: chatTools });
    const calls = (choices[0]?.message.tool_calls ?? []).filter((call) => call.type === "function");
    expect(calls.map(({ function: { name, arguments: json } }) => [name, JSON.parse(json)])).toEqual(wanted);
  });

  it("are followed in responses", async () => {
    const refused = await openai.responses.create({ model, input: refuse });
    expect(refused.output).toMatchObject([{ type: "message", content: [{ type: "refusal", refusal }] }]);
    const { output } = await openai.responses.create({ model, input: order, tools: responsesTools });
    const calls = output.filter((item) => item.type === "function_call");
    expect(calls.map(({ name, arguments: json }) => [name, JSON.parse(json)])).toEqual(wanted);
  });

  it("are followed in messages", async () => {
    const ask = (content: string) => ({ model, max_tokens: 100, messages: [{ role: "user" as const, content }] });
    const refused = await anthropic.messages.create(ask(refuse));
    expect(refused).toMatchObject({ content: [{ type: "text", text: refusal }], stop_reason: "refusal" });
    const { content } = await anthropic.messages.create({ ...ask(order), tools: messagesTools });
    const calls = content.filter((block) => block.type === "tool_use");
    expect(calls.map(({ name, input }) => [name, input])).toEqual(wanted);
  });
});

describe("models of the SDKs", () => {
  const ids = ["gpt-6-astra", "claude-fable-5-2", "claude-sonnet-5-5", "claude-haiku-5-5"].map(
    (name) => `attune/${name}`,
  );

  it("lists and retrieves with the openai SDK", async () => {
    const models: OpenAI.Model[] = [];
    for await (const listed of openai.models.list()) models.push(listed);
    expect(models.map(({ id }) => id)).toEqual(ids);
    const retrieved = await openai.models.retrieve(model);
    expect(retrieved).toMatchObject({ id: model, object: "model", created: 1791331200, owned_by: "attune" });
    expect(retrieved).toEqual(models.at(-1));
  });

  it("lists page by page and retrieves with the Anthropic SDK", async () => {
    const models: Anthropic.ModelInfo[] = [];
    for await (const listed of anthropic.models.list({ limit: 3 })) models.push(listed);
    expect(models.map(({ id }) => id)).toEqual(ids);
    const retrieved = await anthropic.models.retrieve(model);
    expect(retrieved).toMatchObject({
      id: model,
      type: "model",
      display_name: "Claude Haiku 5.5",
      created_at: "2026-10-07T00:00:00Z",
      max_input_tokens: 1_000_000,
      max_tokens: 128_000,
    });
  });

  it("answers 404 for a model that does not exist, in each SDK's envelope", async () => {
    await expect(openai.models.retrieve("attune/none")).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
      type: "invalid_request_error",
    });
    await expect(anthropic.models.retrieve("attune/none")).rejects.toMatchObject({
      status: 404,
      error: { type: "error", error: { type: "not_found_error" }, request_id: expect.stringMatching(UUID) },
    });
  });
});
