import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type OpenAI from "openai";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { createBackgroundStore } from "../../src/store/background/background-store.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { type ScriptedUpstream, type Step, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { answerOf, clientsOf, MODEL } from "../support/sdk-fixture.ts";
import { startTestService, type TestService, yamlFor } from "../support/service.ts";
import { FRAMES, type Scenario, TEXT, UPSTREAM_KINDS, type UpstreamKind } from "../support/upstream-frames.ts";
import { WHOLES } from "../support/upstream-wholes.ts";
import { waitFor } from "../support/wait.ts";
import { createInput } from "./background-input.ts";

type Response = OpenAI.Responses.Response;
type Event = OpenAI.Responses.ResponseStreamEvent;

const UNDER_WAY = new Set<Response["status"]>(["queued", "in_progress"]);
const notFound = { status: 404, code: "not_found" };

describe.each(ENGINES)("responses in the background on %s", (engine) => {
  const databases = useDatabases(engine);
  let upstream: ScriptedUpstream;
  /** Two processes on one database. */
  let service: TestService;
  let other: TestService;
  let spoolFolder: string;
  let client: OpenAI;
  let elsewhere: OpenAI;

  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    const yaml = `server: { limits: { background: 4 }, shutdownMs: 200 }\n${yamlFor(upstream.url)}`;
    // Processes on an SQLite file find each other by their common folder.
    spoolFolder = mkdtempSync(join(tmpdir(), "attune-test-"));
    service = await startTestService({ yaml, databaseUrl: databases.url, spoolFolder });
    other = await startTestService({ yaml, databaseUrl: databases.url, spoolFolder });
    client = clientsOf(service).openai();
    elsewhere = clientsOf(other).openai();
    await haveThemMeet();
  });

  afterAll(async () => {
    await Promise.all([service.close(), other.close()]);
    await upstream.close();
    rmSync(spoolFolder, { recursive: true, force: true });
  });

  const script = (kind: UpstreamKind, scenario: Scenario) =>
    upstream.answer({ streamed: answerOf(FRAMES[kind][scenario]), whole: wholeAnswer(WHOLES[kind][scenario]) });
  /** An upstream that says the first frames of an answer, and the others when it is told to. */
  const scriptHeld = (kind: UpstreamKind, first: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const frames: readonly Step[] = FRAMES[kind].text;
    upstream.answer({ steps: [...frames.slice(0, first), { until: promise }, ...frames.slice(first)] });
    return resolve;
  };
  /** What only one process knows the other finds once it has heard of it, a moment after both have started. */
  const haveThemMeet = async () => {
    const goOn = scriptHeld("chat", 3);
    const stream = await client.responses.create({ model: MODEL.chat, input: "Hello", stream: true });
    for await (const event of stream) {
      if (event.type !== "response.created") continue;
      const body = JSON.stringify([{ id: event.response.id, feedback: { good: true } }]);
      await waitFor(async () => {
        const given = await fetch(`${other.url}/v1/feedback`, { method: "POST", headers: other.headers, body });
        expect(await given.json()).toMatchObject([{ error: null }]);
      });
      goOn();
    }
  };
  const poll = async (id: string, by: OpenAI = client): Promise<Response> => {
    for (;;) {
      // One whose record is not written within two seconds is asked to be looked for again.
      const response = await by.responses.retrieve(id).catch((error: { status?: number }) => {
        if (error.status !== 503) throw error;
      });
      if (response !== undefined && !UNDER_WAY.has(response.status)) return response;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const rows = () => service.store.query().selectFrom("BackgroundInference").select("id").execute();
  /** What has ended takes up room until its row is gone, a moment later. */
  const roomAgain = () => waitFor(async () => expect(await rows()).toEqual([]));
  afterEach(roomAgain);
  const lastBody = () => JSON.parse(upstream.received.at(-1)?.body ?? "null") as Record<string, unknown>;

  describe.each(UPSTREAM_KINDS)("by a %s upstream", (kind) => {
    const model = MODEL[kind];

    it("are queued at once, and completed when they are asked for again", async () => {
      script(kind, "thinking");
      const begun = await client.responses.create({ model, input: "Hello", background: true, metadata: { a: "1" } });
      expect(begun).toMatchObject({
        status: "queued",
        background: true,
        output: [],
        metadata: { a: "1" },
        usage: null,
      });
      const response = await poll(begun.id);
      expect(response).toMatchObject({ id: begun.id, status: "completed", background: true, output_text: TEXT });
      expect(response.created_at).toBe(begun.created_at);
      expect(lastBody()).not.toHaveProperty("background");
      expect(await poll(begun.id, elsewhere)).toEqual(response);
      await roomAgain();
      script(kind, "text");
      const next = await client.responses.create({ model, input: "And?", previous_response_id: begun.id });
      expect(next.output_text).toBe(TEXT);
    });

    it("stream, and are taken up again after any event, here and by another process", async () => {
      const goOn = scriptHeld(kind, 3);
      const body = { model, input: "Hello", background: true, stream: true } as const;
      const stream = await client.responses.create(body);
      const seen: Event[] = [];
      for await (const event of stream) {
        seen.push(event);
        if (event.type === "response.in_progress") break;
      }
      expect(seen.map(({ type }) => type)).toEqual(["response.created", "response.queued", "response.in_progress"]);
      const [first] = seen;
      const id = first?.type === "response.created" ? first.response.id : "";
      expect(await client.responses.retrieve(id)).toMatchObject({ status: "in_progress", output: [] });
      const rest = client.responses.retrieve(id, { stream: true, starting_after: 2 });
      const there = elsewhere.responses.retrieve(id, { stream: true, starting_after: 2 });
      const [restStream, thereStream] = await Promise.all([rest, there]);
      goOn();
      const restEvents = await Array.fromAsync(restStream);
      expect(restEvents.map((event) => event.sequence_number)).toEqual(restEvents.map((_, index) => index + 3));
      expect(restEvents.at(-1)).toMatchObject({ type: "response.completed", response: { id, status: "completed" } });
      expect(await Array.fromAsync(thereStream)).toEqual(restEvents);
      await poll(id);
      expect(await Array.fromAsync(await client.responses.retrieve(id, { stream: true }))).toEqual([
        ...seen,
        ...restEvents,
      ]);
    });

    // The process that makes it hears of others' wishes every two seconds.
    it.each(kind === "chat" ? (["here", "elsewhere"] as const) : (["here"] as const))(
      "are cancelled %s, and so is the upstream",
      async (where) => {
        scriptHeld(kind, 3);
        const received = upstream.received.length;
        const { id } = await client.responses.create({ model, input: "Hello", background: true });
        await waitFor(() => expect(upstream.received.length).toBeGreaterThan(received));
        const followed = await client.responses.retrieve(id, { stream: true });
        const failure = Array.fromAsync(followed).then(
          () => undefined,
          (error: Error) => error,
        );
        const by = where === "here" ? client : elsewhere;
        const cancelled = await by.responses.cancel(id);
        expect(cancelled).toMatchObject({ id, status: "cancelled", error: null, background: true });
        await upstream.received.at(-1)?.aborted;
        expect(await failure).toMatchObject({ message: expect.stringContaining("cancelled") });
        expect(await by.responses.cancel(id)).toEqual(cancelled);
        // The SDK adds the text of what it retrieves.
        expect(await client.responses.retrieve(id)).toEqual({ ...cancelled, output_text: expect.any(String) });
        await service.flush();
        const row = service.store.query().selectFrom("Inference").select(["status", "stored"]).where("id", "=", id);
        expect(await row.executeTakeFirst()).toEqual({ status: "canceled", stored: true });
        await expect(client.responses.create({ model, input: "x", previous_response_id: id })).rejects.toMatchObject({
          status: 400,
          code: "previous_response_not_found",
          message: expect.stringContaining("canceled"),
        });
      },
    );

    it("fail in truth", async () => {
      upstream.answer({ status: 500, headers: { "content-type": "application/json" }, steps: ["{}"] });
      const { id } = await client.responses.create({ model, input: "Hello", background: true, stream: false });
      const response = await poll(id);
      expect(response).toMatchObject({ status: "failed", output: [], error: { code: "server_error" } });
      // The row that says it is under way goes a moment after its end.
      expect(await poll(id, elsewhere)).toEqual(response);
      await service.flush();
      expect(await client.responses.retrieve(id)).toEqual(response);
      const events: Event[] = [];
      await expect(
        (async () => {
          for await (const event of await client.responses.retrieve(id, { stream: true })) events.push(event);
        })(),
      ).rejects.toThrow();
      expect(events.map(({ type }) => type)).toEqual(["response.created", "response.queued", "response.in_progress"]);
      await client.responses.delete(id);
      await expect(client.responses.retrieve(id)).rejects.toMatchObject(notFound);
    });
  });

  it("are refused at once where the request is wrong, or not to be stored", async () => {
    const background = true;
    await expect(client.responses.create({ model: "attune/none", input: "x", background })).rejects.toMatchObject({
      code: "model_not_found",
    });
    await expect(
      client.responses.create({ model: MODEL.chat, input: "x", background, store: false }),
    ).rejects.toMatchObject({ status: 400, param: "store" });
    const previous_response_id = newId();
    await expect(
      client.responses.create({ model: MODEL.chat, input: "x", background, previous_response_id }),
    ).rejects.toMatchObject({ status: 400, param: "previous_response_id" });
    expect(await rows()).toEqual([]);
  });

  it("are bounded in number, for a key and in all", async () => {
    const goOn = scriptHeld("chat", 1);
    const create = (by: OpenAI = client) =>
      by.responses.create({ model: MODEL.chat, input: "x", background: true, stream: false });
    const begun = [await create(), await create()];
    await expect(create()).rejects.toMatchObject({ status: 429 });
    goOn();
    for (const { id } of begun) await poll(id);
    await roomAgain();
    script("chat", "text");
    expect((await poll((await create()).id)).status).toBe("completed");
  });

  it("are shown to nobody else", async () => {
    const goOn = scriptHeld("chat", 1);
    const { id } = await client.responses.create({ model: MODEL.chat, input: "x", background: true });
    const row = await createBackgroundStore(service.store).read(id, newId());
    expect(row).toBeUndefined();
    goOn();
    await poll(id);
  });

  it("are made for keys with permissions too", async () => {
    script("chat", "text");
    const { key: apiKey } = await createKey(service.store, { name: "operator", permissions: ["control-workloads"] });
    const { id } = await clientsOf(service).openai({ apiKey }).responses.create({
      model: MODEL.chat,
      input: "x",
      background: true,
    });
    expect(await poll(id)).toMatchObject({ id, status: "completed" });
  });

  it("have failed once their process is gone, and do not stay in progress", async () => {
    const background = createBackgroundStore(service.store);
    const { projectId } = await service.store
      .query()
      .selectFrom("Inference")
      .select("projectId")
      .executeTakeFirstOrThrow();
    const input = createInput(MODEL.chat);
    const startedAt = new Date(Date.now() - 60_000);
    const entry = { projectId, keyId: "k", model: "chatty", streamed: false, startedAt, previousId: undefined, input };
    const [fresh, silent] = [newId(), newId()];
    await background.add({ ...entry, id: fresh });
    await background.add({ ...entry, id: silent });
    const old = service.store
      .query()
      .updateTable("BackgroundInference")
      .set({ beatAt: new Date(Date.now() - 31_000) });
    await old.where("id", "=", silent).execute();
    expect(await client.responses.retrieve(fresh)).toMatchObject({
      id: fresh,
      status: "in_progress",
      model: MODEL.chat,
    });
    expect(await client.responses.retrieve(silent)).toMatchObject({
      id: silent,
      status: "failed",
      created_at: Math.floor(startedAt.getTime() / 1000),
      error: { message: expect.stringContaining("the process that made the response in the background has ended") },
    });
    await service.flush();
    expect(await elsewhere.responses.retrieve(silent)).toMatchObject({ status: "failed" });
    expect((await rows()).map(({ id }) => id)).toEqual([fresh]);
    await background.remove([fresh]);
  });

  it("are ended in truth when their process ends", async () => {
    const yaml = `server: { shutdownMs: 200 }\n${yamlFor(upstream.url)}`;
    const ending = await startTestService({ yaml, databaseUrl: databases.url, spoolFolder });
    const goOn = scriptHeld("chat", 3);
    const by = clientsOf(ending).openai();
    const { id } = await by.responses.create({ model: MODEL.chat, input: "x", background: true });
    expect(await client.responses.retrieve(id)).toMatchObject({ status: "in_progress" });
    await ending.close();
    goOn();
    expect(await client.responses.retrieve(id)).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("the service is stopping") },
    });
    expect(await rows()).toEqual([]);
  });
});
