import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import type OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MessageSchema, Role } from "../../gen/attune/content/v1/content_pb.ts";
import { ConversationService } from "../../gen/attune/conversation/v1/conversation_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { newId } from "../../src/lib/ids.ts";
import { createConversationStore } from "../../src/store/conversations/conversation-store.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { deleteConversations } from "../../src/store/retention/retention-kind.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import { answerOf, clientsOf, MODEL } from "../support/sdk-fixture.ts";
import { startTestService, type TestService, yamlFor } from "../support/service.ts";
import { CALLS, FRAMES, type Scenario, TEXT, UPSTREAM_KINDS, type UpstreamKind } from "../support/upstream-frames.ts";

const user = (content: string) => ({ type: "message" as const, role: "user" as const, content });
const results = CALLS.map(({ id }) => ({ type: "function_call_output" as const, call_id: id, output: "4 degrees" }));

describe.each(ENGINES)("conversations on %s", (engine) => {
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

  const script = (kind: UpstreamKind, ...scenarios: Scenario[]) =>
    upstream.answer(...scenarios.map((scenario) => answerOf(FRAMES[kind][scenario])));
  const lastBody = (): string => upstream.received.at(-1)?.body ?? "";
  const itemsOf = (id: string) => Array.fromAsync(client.conversations.items.list(id, { order: "asc", limit: 2 }));

  it("are created, read, changed and deleted", async () => {
    const made = await client.conversations.create({ metadata: { topic: "fish" } });
    expect(made).toEqual({
      id: expect.stringMatching(/^conv_[0-9a-f]{32}$/),
      object: "conversation",
      created_at: expect.closeTo(Date.now() / 1000, -2),
      metadata: { topic: "fish" },
    });
    expect(await client.conversations.retrieve(made.id)).toEqual(made);
    const changed = await client.conversations.update(made.id, { metadata: { topic: "birds" } });
    expect(changed).toEqual({ ...made, metadata: { topic: "birds" } });
    const deleted = await client.conversations.delete(made.id);
    expect(deleted).toEqual({ id: made.id, object: "conversation.deleted", deleted: true });
    await expect(client.conversations.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
    expect(await client.conversations.create()).toMatchObject({ metadata: {} });
  });

  it("have items that are added, read page by page and deleted", async () => {
    const { id } = await client.conversations.create({ items: [user("One"), user("Two")] });
    const added = await client.conversations.items.create(id, { items: [user("Three")] });
    expect(added.data).toMatchObject([
      { id: expect.stringMatching(/^msg_/), role: "user", content: [{ type: "input_text", text: "Three" }] },
    ]);
    const items = await itemsOf(id);
    expect(items.map((item) => "content" in item && item.content)).toMatchObject(
      ["One", "Two", "Three"].map((text) => [{ text }]),
    );
    const [first, second] = items;
    if (first?.id === undefined || second?.id === undefined) throw new Error("there are items");
    expect(await client.conversations.items.retrieve(second.id ?? "", { conversation_id: id })).toEqual(second);
    expect(await client.conversations.items.delete(first.id ?? "", { conversation_id: id })).toMatchObject({ id });
    expect((await itemsOf(id)).map((item) => item.id)).toEqual(items.slice(1).map((item) => item.id));
    const gone = client.conversations.items.retrieve(first.id ?? "", { conversation_id: id });
    await expect(gone).rejects.toMatchObject({ status: 404 });
  });

  it("have pages in either order, each read on its own", async () => {
    const { id } = await client.conversations.create({ items: ["1", "2", "3", "4", "5"].map(user) });
    const other = await client.conversations.create({ items: [user("x")] });
    const read = async (query: OpenAI.Conversations.ItemListParams) => {
      const page = await client.conversations.items.list(id, query);
      const texts = page.data.map(
        (item) => "content" in item && JSON.stringify(item.content).match(/"text":"(.)"/)?.[1],
      );
      return { texts: texts.join(""), more: page.has_more, last: page.last_id };
    };
    const latest = await read({ limit: 2 });
    expect(latest).toMatchObject({ texts: "54", more: true });
    expect(await read({ limit: 2, after: latest.last })).toMatchObject({ texts: "32", more: true });
    const oldest = await read({ limit: 3, order: "asc" });
    expect(oldest).toMatchObject({ texts: "123", more: true });
    expect(await read({ limit: 2, order: "asc", after: oldest.last })).toMatchObject({ texts: "45", more: false });
    const [stranger] = (await client.conversations.items.list(other.id)).data;
    for (const after of [stranger?.id ?? "", "msg_x", ""])
      await expect(read({ after })).rejects.toMatchObject({ status: 400, param: "after" });
  });

  describe.each(UPSTREAM_KINDS)("that a %s upstream serves", (kind) => {
    it.each([false, true])("are continued and added to over a loop of tools (streamed: %s)", async (streamed) => {
      const { id } = await client.conversations.create({ items: [user("We speak of the weather.")] });
      const ask = async (input: OpenAI.Responses.ResponseInput) => {
        const body = { model: MODEL[kind], conversation: id, input };
        return streamed
          ? await client.responses.stream(body).finalResponse()
          : await client.responses.create({ ...body, conversation: { id } });
      };
      script(kind, "calls", "text", "text");
      expect(await ask([user("How is it?")])).toMatchObject({ conversation: { id }, previous_response_id: null });
      expect(lastBody()).toContain("We speak of the weather.");
      expect((await ask(results)).output_text).toBe(TEXT);
      await ask([user("Thanks.")]);
      for (const said of ["We speak of the weather.", "How is it?", CALLS[0].name, "4 degrees", "Thanks."]) {
        expect(lastBody()).toContain(said);
      }
      expect((await itemsOf(id)).map(({ type }) => type)).toEqual([
        ...["message", "message"],
        ...CALLS.map(() => "function_call"),
        ...CALLS.map(() => "function_call_output"),
        ...["message", "message", "message"],
      ]);
    });
  });

  it("are added to whether the response is stored or not, and not where it failed", async () => {
    const { id } = await client.conversations.create();
    script("chat", "text");
    await client.responses.create({ model: MODEL.chat, conversation: id, input: "Hello", store: false });
    expect(await itemsOf(id)).toHaveLength(2);
    const wrong = { type: "function_call_output" as const, call_id: "call_x", output: "x" };
    await expect(
      client.responses.create({ model: MODEL.chat, conversation: id, input: [wrong] }),
    ).rejects.toMatchObject({ status: 400, param: "input[0].call_id" });
    expect(await itemsOf(id)).toHaveLength(2);
  });

  it("are told of a conversation that is not theirs, not there or not alone", async () => {
    const { id } = await client.conversations.create({ items: [user("Secret")] });
    const missing = { status: 404, message: expect.stringContaining("not found") };
    await expect(stranger.conversations.retrieve(id)).rejects.toMatchObject(missing);
    await expect(stranger.conversations.delete(id)).rejects.toMatchObject(missing);
    await expect(stranger.conversations.update(id, { metadata: {} })).rejects.toMatchObject(missing);
    await expect(Array.fromAsync(stranger.conversations.items.list(id))).rejects.toMatchObject(missing);
    await expect(stranger.conversations.items.create(id, { items: [user("x")] })).rejects.toMatchObject(missing);
    const body = { model: MODEL.chat, input: "Hello" };
    await expect(stranger.responses.create({ ...body, conversation: id })).rejects.toMatchObject(missing);
    await expect(client.responses.create({ ...body, conversation: "conv_x" })).rejects.toMatchObject(missing);
    const both = { ...body, conversation: id, previous_response_id: newId() };
    await expect(client.responses.create(both)).rejects.toMatchObject({ status: 400, param: "conversation" });
    const many = Array.from({ length: 1001 }, () => user("x"));
    await expect(client.conversations.create({ items: many })).rejects.toMatchObject({ status: 400, param: "items" });
  });

  it("take 1,000 items at a time", async () => {
    const many = Array.from({ length: 1000 }, (_none, index) => user(`item ${index}`));
    const { id } = await client.conversations.create();
    await client.conversations.items.create(id, { items: many });
    const items = await Array.fromAsync(client.conversations.items.list(id, { order: "asc", limit: 100 }));
    expect(items.map((item) => "content" in item && item.content)).toEqual(
      many.map(({ content }) => [{ type: "input_text", text: content }]),
    );
  });

  it("keep all that is added at the same time", async () => {
    const { id } = await client.conversations.create();
    const texts = Array.from({ length: 30 }, (_none, index) => `item ${index}`);
    await Promise.all(texts.map((text) => client.conversations.items.create(id, { items: [user(text), user(text)] })));
    const items = JSON.stringify(await Array.fromAsync(client.conversations.items.list(id, { limit: 100 })));
    for (const text of texts) expect(items.split(`"${text}"`)).toHaveLength(3);
  });

  it("are bounded, and go with their items when they are old", async () => {
    const store = createConversationStore(service.store, { perProject: 2, items: 2, bytes: 1000 });
    const projectId = newId();
    const item = (text: string) =>
      create(MessageSchema, { role: Role.USER, content: [{ kind: { case: "text", value: { text } } }] });
    const { id } = await store.create(projectId, { metadata: {}, items: [item("a")] });
    await expect(store.append(id, projectId, [item("b"), item("c")])).rejects.toThrow("at most 2 items");
    await expect(store.append(id, projectId, [item("b".repeat(1000))])).rejects.toThrow("1000 bytes");
    expect(await store.items(id, projectId)).toHaveLength(1);
    await store.create(projectId, { metadata: {}, items: [] });
    await expect(store.create(projectId, { metadata: {}, items: [] })).rejects.toThrow("the project has 2");
    const soon = new Date(Date.now() + 60_000);
    expect(await deleteConversations(service.store, soon, new AbortController().signal)).toBeGreaterThanOrEqual(2);
    const left = service.store.query().selectFrom("ConversationItem").select("id");
    expect(await left.execute()).toEqual([]);
  });

  it("are no more than the bound where many are created at once", async () => {
    const store = createConversationStore(service.store, { perProject: 3, items: 2, bytes: 1000 });
    const projectId = newId();
    const project = { id: projectId, name: `bounded-${engine}`, createdAt: new Date() };
    await service.store.query().insertInto("Project").values(project).execute();
    const created = await Promise.allSettled(
      Array.from({ length: 12 }, () => store.create(projectId, { metadata: {}, items: [] })),
    );
    expect(created.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  });

  it("take what is to be included, of which nothing is left out", async () => {
    const { id } = await client.conversations.create({ items: [user("Hello")] });
    const include = ["reasoning.encrypted_content" as const];
    expect(await Array.fromAsync(client.conversations.items.list(id, { include }))).toHaveLength(1);
    const wrong = client.conversations.items.list(id, { include: ["everything" as never] });
    await expect(wrong).rejects.toMatchObject({ status: 400, param: "include" });
  });

  it.each([
    ["Connect", () => createConnectTransport({ baseUrl: service.url, httpVersion: "1.1" })],
    ["gRPC", () => createGrpcTransport({ baseUrl: service.url })],
  ])("are known over %s", async (_name, transport) => {
    const { headers } = service;
    const rpc = createClient(ConversationService, transport());
    const item = { role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "By RPC" } } }] };
    const { conversation } = await rpc.createConversation({ metadata: { a: "b" }, items: [item] }, { headers });
    const conversationId = conversation?.id ?? "";
    script("chat", "text");
    const input = { model: MODEL.chat, conversationId, messages: [item] };
    await createClient(InferenceService, transport()).generate({ input }, { headers });
    const { items, hasMore } = await rpc.listItems({ conversationId }, { headers });
    expect(items.map(({ message }) => message?.role)).toEqual([Role.USER, Role.USER, Role.ASSISTANT]);
    expect(hasMore).toBe(false);
    const afterItemId = items[2]?.id ?? "";
    const page = await rpc.listItems({ conversationId, pageSize: 1, afterItemId, latestFirst: true }, { headers });
    expect([page.items, page.hasMore]).toEqual([items.slice(1, 2), true]);
    expect((await rpc.getItem({ conversationId, itemId: afterItemId }, { headers })).item).toEqual(items[2]);
    for (const wrong of [{ pageSize: 1001 }, { afterItemId: conversationId }, { afterItemId: "x" }]) {
      const refused = rpc.listItems({ conversationId, ...wrong }, { headers }).catch(ConnectError.from);
      expect(await refused).toMatchObject({ code: Code.InvalidArgument });
    }
    await rpc.deleteItem({ conversationId, itemId: items[0]?.id ?? "" }, { headers });
    await rpc.deleteConversation({ id: conversationId }, { headers });
    const gone = await rpc.getConversation({ id: conversationId }, { headers }).catch(ConnectError.from);
    expect(gone).toMatchObject({ code: Code.NotFound });
  });
});
