import { Code, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import type OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Dialect, Role } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { newId } from "../../src/lib/ids.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { type ScriptedUpstream, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { answerOf, clientsOf, MODEL, sendFeedback } from "../support/sdk-fixture.ts";
import { startTestService, type TestService, yamlFor } from "../support/service.ts";
import {
  CALLS,
  FRAMES,
  type Scenario,
  SIGNATURE,
  TEXT,
  UPSTREAM_KINDS,
  type UpstreamKind,
} from "../support/upstream-frames.ts";
import { waitUntil } from "../support/wait.ts";

type Json = Record<string, unknown>;

const parameters = { type: "object", properties: { city: { type: "string" } } };
const tools: OpenAI.Responses.FunctionTool[] = [{ type: "function", name: "get_weather", parameters, strict: false }];
const results = CALLS.map((call, index) => ({
  type: "function_call_output" as const,
  call_id: call.id,
  output: `${index + 4} degrees`,
}));

describe.each(ENGINES)("stored responses on %s", (engine) => {
  const databases = useDatabases(engine);
  let upstream: ScriptedUpstream;
  let service: TestService;
  let client: OpenAI;
  let stranger: OpenAI;

  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    service = await startTestService({ yaml: yamlFor(upstream.url), databaseUrl: databases.url });
    client = clientsOf(service).openai();
    const projectId = newId();
    const project = { id: projectId, name: `other-${engine}`, createdAt: new Date() };
    await service.store.query().insertInto("Project").values(project).execute();
    const { key } = await createKey(service.store, { name: "stranger", projectId });
    stranger = clientsOf(service).openai({ apiKey: key });
  });

  afterAll(async () => {
    await service.close();
    await upstream.close();
  });

  it("say again that their tokens are an estimate", async () => {
    const message = { role: "assistant", content: TEXT };
    const answer = {
      id: "c1",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [{ index: 0, message, finish_reason: "stop" }],
    };
    upstream.answer(wholeAnswer(JSON.stringify(answer)));
    const made = await fetch(`${service.url}/v1/responses`, {
      method: "POST",
      headers: service.headers,
      body: JSON.stringify({ model: MODEL.chat, input: "Hello" }),
    });
    const { id } = (await made.json()) as { id: string };
    const read = await fetch(`${service.url}/v1/responses/${id}`, { headers: service.headers });
    expect([made, read].map(({ headers }) => headers.get("attune-usage"))).toEqual(["estimated", "estimated"]);
  });

  const script = (kind: UpstreamKind, ...scenarios: Scenario[]) =>
    upstream.answer(...scenarios.map((scenario) => answerOf(FRAMES[kind][scenario])));
  const lastBody = (): Json => JSON.parse(upstream.received.at(-1)?.body ?? "null");
  const fetchText = async (path: string, init: RequestInit = {}): Promise<string> => {
    const response = await fetch(service.url + path, { ...init, headers: service.headers });
    return await response.text();
  };
  /** Waits until the record of an inference has left the queue. */
  const written = async (id: string): Promise<void> => {
    await service.flush();
    const query = service.store.query().selectFrom("InferenceBody").select("id").where("id", "=", id);
    expect(await query.executeTakeFirst()).toBeDefined();
  };
  const rowOf = (table: "Inference" | "InferenceBody", id: string) =>
    service.store.query().selectFrom(table).select("id").where("id", "=", id).executeTakeFirst();
  const notFound = { status: 404, code: "not_found" };

  describe.each(UPSTREAM_KINDS)("served by a %s upstream", (kind) => {
    const model = MODEL[kind];

    it("gives an answer back byte for byte, from the queue and from the database", async () => {
      script(kind, "thinking");
      const body = {
        model,
        input: "Hello",
        instructions: "Be brief.",
        max_output_tokens: 2048,
        metadata: { a: "1" },
        tools,
        tool_choice: "auto",
        reasoning: { effort: "low" },
        temperature: 0.1,
        user: "u",
        text: { format: { type: "text" }, verbosity: null },
      };
      const text = await fetchText("/v1/responses", { method: "POST", body: JSON.stringify(body) });
      const { id } = JSON.parse(text) as { id: string };
      expect(text).toContain('"instructions":"Be brief."');
      expect(await fetchText(`/v1/responses/${id}`)).toBe(text);
      await written(id);
      expect(await fetchText(`/v1/responses/${id}`)).toBe(text);
      expect(await client.responses.retrieve(id)).toMatchObject({ id, output_text: TEXT, store: true });
    });

    it("goes on with a chain of three over a loop of tools, without the instructions", async () => {
      script(kind, "calls", "text", "text");
      const first = await client.responses.create({ model, instructions: "Old.", input: "Weather?", tools });
      const second = await client.responses.create({ model, previous_response_id: first.id, input: results, tools });
      await written(second.id);
      const stream = client.responses.stream({
        model,
        previous_response_id: second.id,
        instructions: "New.",
        input: [{ role: "user", content: "Thanks" }],
      });
      const third = await stream.finalResponse();
      expect(third).toMatchObject({ previous_response_id: second.id, instructions: "New.", output_text: TEXT });
      expect(lastBody()).toMatchObject(CHAIN[kind]);
      expect(upstream.received.at(-1)?.body).not.toContain("Old.");
      expect(await client.responses.retrieve(third.id)).toMatchObject({ previous_response_id: second.id });
    });

    it("gives reasoning back to its maker as it was", async () => {
      script(kind, "thinking", "text");
      const first = await client.responses.create({ model, input: "Hello" });
      await client.responses.create({ model, previous_response_id: first.id, input: "And?" });
      expect(upstream.received.at(-1)?.body).toContain(JSON.stringify(SIGNATURE));
    });
  });

  it("refuses a result that answers no call of the stored conversation", async () => {
    script("chat", "calls");
    const first = await client.responses.create({ model: MODEL.chat, input: "Weather?", tools });
    const input = [...results, { type: "function_call_output" as const, call_id: "call_other", output: "4" }];
    await expect(
      client.responses.create({ model: MODEL.chat, previous_response_id: first.id, input, tools }),
    ).rejects.toMatchObject({
      status: 400,
      type: "invalid_request_error",
      param: `input[${results.length}].call_id`,
      message: expect.stringContaining("No tool call found for function call output with call_id call_other."),
    });
  });

  it("lists what the model was given, page by page", async () => {
    script("chat", "calls", "text");
    const model = MODEL.chat;
    const first = await client.responses.create({ model, input: "Weather?", tools });
    const second = await client.responses.create({ model, previous_response_id: first.id, input: results, tools });
    const hex = (id: string) => id.replaceAll("-", "");
    const items = [
      {
        id: `msg_${hex(first.id)}_i0`,
        type: "message",
        role: "user",
        status: "completed",
        content: [{ type: "input_text", text: "Weather?" }],
      },
      ...CALLS.map((call, index) => ({
        id: `fc_${hex(first.id)}_${index}`,
        type: "function_call",
        call_id: call.id,
        name: call.name,
        arguments: call.arguments,
        status: "completed",
      })),
      ...results.map((result, index) => ({ ...result, id: `fco_${hex(second.id)}_i${index}`, status: "completed" })),
    ];
    const path = `/v1/responses/${second.id}/input_items`;
    const page = JSON.parse(await fetchText(`${path}?order=asc&limit=2`));
    expect(page).toEqual({
      object: "list",
      data: items.slice(0, 2),
      first_id: items[0]?.id,
      last_id: items[1]?.id,
      has_more: true,
    });
    const all = await Array.fromAsync(client.responses.inputItems.list(second.id, { limit: 2 }));
    expect(all).toEqual(items.toReversed());
    const own = await Array.fromAsync(client.responses.inputItems.list(first.id));
    expect(own).toEqual(items.slice(0, 1));
  });

  it("forgets what is deleted, and still takes feedback on it", async () => {
    script("chat", "text", "text");
    const model = MODEL.chat;
    const { id } = await client.responses.create({ model, input: "Hello" });
    const later = await client.responses.create({ model, previous_response_id: id, input: "And?" });
    expect(await fetchText(`/v1/responses/${id}`, { method: "DELETE" })).toBe(
      `{"id":"${id}","object":"response","deleted":true}`,
    );
    await expect(client.responses.retrieve(id)).rejects.toMatchObject(notFound);
    await expect(client.responses.delete(id)).rejects.toMatchObject(notFound);
    const row = service.store
      .query()
      .selectFrom("Inference")
      .select(["outputTokens", "deletedAt"])
      .where("id", "=", id);
    expect(await row.executeTakeFirst()).toEqual({ outputTokens: 15, deletedAt: expect.any(Date) });
    const bodies = service.store.query().selectFrom("InferenceBody").select("id").where("id", "=", id);
    expect(await bodies.execute()).toEqual([]);
    expect(await sendFeedback(service, id)).toBeNull();
    // The later answer stays, but its conversation is no longer whole.
    expect(await client.responses.retrieve(later.id)).toMatchObject({ id: later.id });
    await expect(client.responses.create({ model, previous_response_id: later.id, input: "x" })).rejects.toMatchObject({
      status: 400,
      code: "previous_response_not_found",
      message: expect.stringContaining(id),
    });
    await client.responses.delete(later.id);
  });

  it("keeps nothing for its client that was not to be stored", async () => {
    script("chat", "text", "text", "text", "text");
    const model = MODEL.chat;
    const first = await client.responses.create({ model, input: "Hello" });
    const middle = await client.responses.create({ model, previous_response_id: first.id, input: "x", store: false });
    expect(middle).toMatchObject({ store: false });
    await expect(client.responses.retrieve(middle.id)).rejects.toMatchObject(notFound);
    await expect(client.responses.delete(middle.id)).rejects.toMatchObject(notFound);
    await expect(client.responses.inputItems.list(middle.id)).rejects.toMatchObject(notFound);
    const wrong = { status: 400, code: "previous_response_not_found", param: "previous_response_id" };
    await expect(client.responses.create({ model, previous_response_id: middle.id, input: "x" })).rejects.toMatchObject(
      wrong,
    );
    // The AI SDK refers to items after `store: false` too: the records of the project have them, unless told otherwise.
    const referring = (id = "") => client.responses.create({ model, input: [{ type: "item_reference", id }] });
    expect(await referring(middle.output[0]?.id)).toMatchObject({ status: "completed" });
    const headers = { "attune-store": "none" };
    const hidden = await client.responses.create({ model, input: "x" }, { headers });
    const unknown = { ...notFound, param: "input[0].id" };
    await expect(referring(hidden.output[0]?.id)).rejects.toMatchObject(unknown);
  });

  it.each([
    ["/v1/responses", { input: "secret words" }],
    ["/v1/responses", { input: "secret words", store: true, stream: true }],
    ["/v1/chat/completions", { messages: [{ role: "user", content: "secret words" }] }],
    ["/v1/messages", { messages: [{ role: "user", content: "secret words" }], max_tokens: 9 }],
  ])("keeps no texts of a request at %s with attune-store: none (%#)", async (path, body) => {
    const kind = path === "/v1/messages" ? "messages" : "chat";
    script(kind, "text");
    const answer = await fetch(service.url + path, {
      method: "POST",
      headers: { ...service.headers, "attune-store": "none" },
      body: JSON.stringify({ model: MODEL[kind], ...body }),
    });
    expect(answer.status).toBe(200);
    const text = await answer.text();
    if (path === "/v1/responses") expect(text).toContain('"store":false');
    const id = /"id":"([0-9a-f-]{36})"/.exec(text)?.[1] ?? "";
    await waitUntil(() => rowOf("Inference", id));
    expect(await rowOf("InferenceBody", id)).toBeUndefined();
    await expect(client.responses.retrieve(id)).rejects.toMatchObject(notFound);
    await expect(
      client.responses.create({ model: MODEL.chat, previous_response_id: id, input: "x" }),
    ).rejects.toMatchObject({ status: 400, code: "previous_response_not_found" });
    expect(await sendFeedback(service, id)).toBeFalsy();
  });

  it("keeps no texts of an RPC that says so, and refuses what needs them", async () => {
    script("chat", "text");
    const rpc = createClient(InferenceService, createConnectTransport({ baseUrl: service.url, httpVersion: "1.1" }));
    const call = { headers: { authorization: `Bearer ${service.key}` } };
    const messages = [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "Hello" } } }] }];
    const input = { model: MODEL.chat, messages, noTexts: true };
    const { id } = await rpc.generate({ input }, call);
    await waitUntil(() => rowOf("Inference", id));
    expect(await rowOf("InferenceBody", id)).toBeUndefined();
    await expect(rpc.getInference({ id }, call)).rejects.toMatchObject({ code: Code.NotFound });
    const refused = [
      rpc.generate({ input: { ...input, thread: true } }, call),
      rpc.generate({ input: { ...input, conversationId: newId() } }, call),
      rpc.beginInference({ input }, call),
    ];
    for (const one of refused) {
      await expect(one).rejects.toMatchObject({
        message: expect.stringContaining("'attune-store: none' (over RPC 'no_texts') keeps none"),
      });
    }
  });

  it("shows nothing to another project", async () => {
    script("chat", "text");
    const model = MODEL.chat;
    const first = await client.responses.create({ model, input: "Hello" });
    await expect(stranger.responses.retrieve(first.id)).rejects.toMatchObject(notFound);
    await expect(stranger.responses.delete(first.id)).rejects.toMatchObject(notFound);
    await expect(stranger.responses.inputItems.list(first.id)).rejects.toMatchObject(notFound);
    await expect(
      stranger.responses.create({ model, previous_response_id: first.id, input: "x" }),
    ).rejects.toMatchObject({ status: 400, code: "previous_response_not_found" });
    await expect(
      stranger.responses.create({ model, input: [{ type: "item_reference", id: first.output[0]?.id ?? "" }] }),
    ).rejects.toMatchObject(notFound);
    expect(await client.responses.retrieve(first.id)).toMatchObject({ id: first.id });
  });

  it("stores no answer of the other formats", async () => {
    script("chat", "text");
    const chat = await client.chat.completions.create({
      model: MODEL.chat,
      messages: [{ role: "user", content: "Hello" }],
    });
    await expect(client.responses.retrieve(chat.id)).rejects.toMatchObject(notFound);
  });

  it("puts an item in the place of its reference", async () => {
    script("chat", "calls", "text");
    const model = MODEL.chat;
    const first = await client.responses.create({ model, input: "Weather?", tools });
    const references = first.output.map((item) => ({ type: "item_reference" as const, id: item.id ?? "" }));
    await client.responses.create({
      model,
      input: [{ role: "user", content: "Weather?" }, ...references, ...results],
      tools,
    });
    expect(lastBody()).toMatchObject({ messages: CHAIN.chat.messages.slice(1, 5) });
  });

  it("leaves references to an upstream's items to that upstream, and refuses them elsewhere", async () => {
    const input = [
      { type: "item_reference" as const, id: "msg_68abc" },
      { role: "user" as const, content: "Hello" },
    ];
    script("responses", "text");
    await client.responses.create({ model: MODEL.responses, input });
    expect(lastBody()).toMatchObject({ input: [input[0], { role: "user", content: "Hello" }] });
    await expect(client.responses.create({ model: MODEL.chat, input })).rejects.toMatchObject({
      ...notFound,
      param: "input[0].id",
    });
  });

  it("waits for the end of an answer that is still under way", async () => {
    const [head = "", ...rest] = FRAMES.chat.text;
    upstream.answer({ steps: [head, { waitMs: 300 }, ...rest] }, answerOf(FRAMES.chat.text));
    const stream = await client.responses.create({ model: MODEL.chat, input: "Hello", stream: true });
    let next: Promise<OpenAI.Responses.Response> | undefined;
    for await (const event of stream) {
      if (event.type !== "response.created") continue;
      const previous_response_id = event.response.id;
      next = client.responses.create({ model: MODEL.chat, previous_response_id, input: "And?" });
    }
    expect(await next).toMatchObject({ status: "completed" });
    expect(lastBody()).toMatchObject({
      messages: [
        { role: "user", content: "Hello" },
        { role: "assistant", content: TEXT },
        { role: "user", content: "And?" },
      ],
    });
  });

  it("goes on over RPC with what came as JSON, and the other way round", async () => {
    script("chat", "text", "text", "text");
    const model = MODEL.chat;
    const rpc = createClient(InferenceService, createConnectTransport({ baseUrl: service.url, httpVersion: "1.1" }));
    const call = { headers: { authorization: `Bearer ${service.key}` } };
    const messages = [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "And?" } } }] }];
    const first = await client.responses.create({ model, input: "Hello", metadata: { team: "a" } });
    const second = await rpc.generate({ input: { model, messages, previousId: first.id } }, call);
    await client.responses.create({ model, input: "More", previous_response_id: second.id });
    expect(lastBody()).toMatchObject({
      messages: [
        { role: "user", content: "Hello" },
        { role: "assistant", content: TEXT },
        { role: "user", content: "And?" },
        { role: "assistant", content: TEXT },
        { role: "user", content: "More" },
      ],
    });
    const { inference, previous } = await rpc.getInference({ id: second.id, withPrevious: true }, call);
    expect(inference?.input).toMatchObject({ previousId: first.id, messages: [{ role: Role.USER }] });
    expect(previous.map(({ output }) => output?.id)).toEqual([first.id]);
    expect([inference, ...previous].map((stored) => stored?.dialect)).toEqual([Dialect.UNSPECIFIED, Dialect.RESPONSES]);
    expect(inference?.echo).toBeUndefined();
    expect(JSON.parse(previous[0]?.echo?.json ?? "null")).toMatchObject({ metadata: { team: "a" } });
    await expect(client.responses.retrieve(second.id)).rejects.toMatchObject(notFound);
    await rpc.deleteInference({ id: second.id }, call);
    await expect(rpc.getInference({ id: second.id }, call)).rejects.toMatchObject({ code: Code.NotFound });
    const input = { model, messages, previousId: second.id };
    await expect(rpc.generate({ input }, call)).rejects.toMatchObject({
      code: Code.NotFound,
      message: expect.stringContaining("previous_id: no stored response has the id"),
    });
  });

  it("names a loss at its place in the request, and in the conversation that it continues", async () => {
    script("chat", "text", "text");
    const model = MODEL.chat;
    const odd = { type: "web_search_call", id: "ws_1", status: "completed" } as OpenAI.Responses.ResponseInputItem;
    const first = await client.responses.create({ model, input: [odd, { role: "user", content: "Hello" }] });
    const { response } = await client.responses
      .create({ model, previous_response_id: first.id, input: [{ role: "user", content: "And?" }, odd] })
      .withResponse();
    expect(response.headers.get("attune-translation-loss")).toBe("previous_response_id.input[0], input[1]");
  });
});

/** What each upstream is given at the end of the chain of three. */
const CALL_ITEMS = CALLS.map((call) => ({
  type: "function_call",
  call_id: call.id,
  name: call.name,
  arguments: call.arguments,
}));
const CHAIN = {
  chat: {
    messages: [
      { role: "system", content: "New." },
      { role: "user", content: "Weather?" },
      {
        role: "assistant",
        tool_calls: CALLS.map(({ id, name, arguments: text }) => ({ id, function: { name, arguments: text } })),
      },
      { role: "tool", tool_call_id: "call_oslo", content: "4 degrees" },
      { role: "tool", tool_call_id: "call_rome", content: "5 degrees" },
      { role: "assistant", content: TEXT },
      { role: "user", content: "Thanks" },
    ],
  },
  responses: {
    instructions: "New.",
    input: [
      { role: "user", content: "Weather?" },
      { ...CALL_ITEMS[0], id: "fc_1", status: "completed" },
      { ...CALL_ITEMS[1], id: "fc_2", status: "completed" },
      results[0],
      results[1],
      {
        type: "message",
        id: "msg_up",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: TEXT }],
      },
      { role: "user", content: "Thanks" },
    ],
  },
  messages: {
    system: "New.",
    messages: [
      { role: "user", content: "Weather?" },
      {
        role: "assistant",
        content: CALLS.map(({ id, name, arguments: text }) => ({
          type: "tool_use",
          id,
          name,
          input: JSON.parse(text),
        })),
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "call_oslo", content: "4 degrees" },
          { type: "tool_result", tool_use_id: "call_rome", content: "5 degrees" },
        ],
      },
      { role: "assistant", content: TEXT },
      { role: "user", content: "Thanks" },
    ],
  },
} as const;
