import type OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/ids.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import { answerOf, clientsOf, MODEL } from "../support/sdk-fixture.ts";
import { startTestService, type TestService, yamlFor } from "../support/service.ts";
import { FRAMES, TEXT } from "../support/upstream-frames.ts";

const TIMES = 20;
const model = MODEL.chat;

/**
 * What one process had answered, another one on the same database did not know for up to a quarter of a second: of ten
 * continuations that were sent to it at once, nine were refused on SQLite. Feedback was waited for for up to five
 * seconds, one mistyped id in it too.
 */
describe.each(ENGINES)("a record of another process on %s", (engine) => {
  const databases = useDatabases(engine);
  let upstream: ScriptedUpstream;
  let services: readonly [TestService, TestService];
  let clients: readonly [OpenAI, OpenAI];

  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    upstream.answerBy(() => answerOf(FRAMES.chat.text));
    // The processes of one SQLite file share a spool, those of a PostgreSQL may be on several hosts.
    const options = { yaml: yamlFor(upstream.url), databaseUrl: databases.url };
    const spool = engine === "sqlite" ? { spoolFolder: `${databases.url.slice("sqlite:".length)}-spool` } : {};
    services = [await startTestService({ ...options, ...spool }), await startTestService({ ...options, ...spool })];
    const apiKey = services[0].key;
    clients = [clientsOf(services[0]).openai(), clientsOf(services[1]).openai({ apiKey })];
    // The thread that writes has to start first, which takes seconds on a busy machine: that is not what is asked here.
    for (const at of [0, 1] as const) await readWhenWritten(databases.store, await ask(at));
  });

  afterAll(async () => {
    for (const service of services) await service.close();
    await upstream.close();
  });

  const ask = async (at: 0 | 1, previous_response_id?: string): Promise<string> => {
    const response = await clients[at].responses.create({ model, input: "Hello", previous_response_id });
    return response.id;
  };
  const giveFeedback = async (at: 0 | 1, ids: readonly string[]) => {
    const { url } = services[at];
    const body = JSON.stringify(ids.map((id) => ({ id, feedback: { good: true } })));
    const response = await fetch(`${url}/v1/feedback`, {
      method: "POST",
      headers: services[0].headers,
      body,
    });
    const results = (await response.json()) as { error: { status_code: number } | null }[];
    return results.map(({ error }) => error?.status_code ?? 200);
  };

  it(`is continued at once after the answer, ${TIMES} times in turn`, async () => {
    let previous: string | undefined;
    for (let turn = 0; turn < TIMES; turn += 1) previous = await ask(turn % 2 === 0 ? 0 : 1, previous);
  });

  it(`takes feedback at once after the answer, ${TIMES} times`, async () => {
    const took: number[] = [];
    for (let turn = 0; turn < TIMES; turn += 1) {
      const id = await ask(0);
      const began = performance.now();
      expect(await giveFeedback(1, [id])).toEqual([200]);
      took.push(performance.now() - began);
    }
    // A record alone takes 200 ms until it is written: who waits for that is never quicker.
    expect(Math.min(...took)).toBeLessThan(150);
  });

  it("is read and deleted at once", async () => {
    const [id, other] = [await ask(0), await ask(1)];
    expect(await clients[1].responses.retrieve(id)).toMatchObject({ id, output_text: TEXT });
    await clients[1].responses.delete(id);
    await expect(clients[0].responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await clients[0].responses.delete(other);
    await expect(ask(1, other)).rejects.toMatchObject({ status: 400 });
  });

  it("is waited for while its answer is under way, and takes feedback meanwhile", async () => {
    const [head = "", ...rest] = FRAMES.chat.text;
    upstream.answer({ steps: [head, { waitMs: 300 }, ...rest] }, answerOf(FRAMES.chat.text));
    const stream = await clients[0].responses.create({ model, input: "Hello", stream: true });
    let next: Promise<string> | undefined;
    for await (const event of stream) {
      if (event.type !== "response.created") continue;
      expect(await giveFeedback(1, [event.response.id])).toEqual([200]);
      next = ask(1, event.response.id);
    }
    await next;
    expect(JSON.parse(upstream.received.at(-1)?.body ?? "")).toMatchObject({
      messages: [{ content: "Hello" }, { role: "assistant", content: TEXT }, { content: "Hello" }],
    });
  });

  it("is told from an id that nobody knows, which holds up nothing", async () => {
    const id = await ask(0);
    const began = performance.now();
    expect(await giveFeedback(1, [newId(), id, newId()])).toEqual([400, 200, 400]);
    await expect(clients[1].responses.retrieve(newId())).rejects.toMatchObject({ status: 404 });
    await expect(ask(1, newId())).rejects.toMatchObject({ status: 400 });
    // 300 ms each at the very most, on a machine with nothing else to do.
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
