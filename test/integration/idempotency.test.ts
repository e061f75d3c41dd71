import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { type ScriptedUpstream, type Step, startScriptedUpstream, wholeAnswer } from "../support/scripted-upstream.ts";
import { answerOf, MODEL } from "../support/sdk-fixture.ts";
import { startTestService, type TestService, yamlFor } from "../support/service.ts";
import { FRAMES } from "../support/upstream-frames.ts";
import { WHOLES } from "../support/upstream-wholes.ts";
import { waitFor } from "../support/wait.ts";

const CHAT = { model: MODEL.chat, messages: [{ role: "user", content: "Hello" }] };
const FORMATS = {
  "/v1/chat/completions": CHAT,
  "/v1/responses": { model: MODEL.chat, input: "Hello" },
  "/v1/messages": { ...CHAT, max_tokens: 100 },
} as const;
const PATHS = Object.keys(FORMATS) as (keyof typeof FORMATS)[];

let keys = 0;
const newKey = (): string => `key ${keys++}`;

describe.each(ENGINES)("idempotency keys on %s", (engine) => {
  const databases = useDatabases(engine);
  let upstream: ScriptedUpstream;
  /** Two processes on one database. */
  let service: TestService;
  let other: TestService;
  let spoolFolder: string;

  beforeAll(async () => {
    upstream = await startScriptedUpstream();
    // Every format can call each of them.
    const yaml = yamlFor(upstream.url).replaceAll(/family: \w+/g, "family: messages");
    spoolFolder = mkdtempSync(join(tmpdir(), "attune-test-"));
    service = await startTestService({ yaml, databaseUrl: databases.url, spoolFolder });
    other = await startTestService({ yaml, databaseUrl: databases.url, spoolFolder });
  });

  afterAll(async () => {
    await Promise.all([service.close(), other.close()]);
    await upstream.close();
    rmSync(spoolFolder, { recursive: true, force: true });
  });

  beforeEach(() => {
    upstream.received.length = 0;
    upstream.answer({ streamed: answerOf(FRAMES.chat.text), whole: wholeAnswer(WHOLES.chat.text) });
  });

  /** An upstream that says the first frames of an answer, and the others when it is told to. */
  const scriptHeld = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const frames: readonly Step[] = FRAMES.chat.text;
    upstream.answer({ steps: [...frames.slice(0, 2), { until: promise }, ...frames.slice(2)] });
    return resolve;
  };
  const post = (
    key: string,
    path: string,
    body: object,
    { by = service, signal = new AbortController().signal, more = {} } = {},
  ) =>
    fetch(`${by.url}${path}`, {
      method: "POST",
      headers: { ...by.headers, "idempotency-key": key, ...more },
      body: JSON.stringify(body),
      signal,
    });
  const inferences = async (): Promise<number> => {
    await Promise.all([service.flush(), other.flush()]);
    return (await databases.store.query().selectFrom("Inference").select("id").execute()).length;
  };

  it.each(PATHS)("gives the answer again at %s, in whichever process, and bills it once", async (path) => {
    const key = newKey();
    const before = await inferences();
    const first = await post(key, path, FORMATS[path]);
    const text = await first.text();
    expect(first.status).toBe(200);
    for (const by of [service, other]) {
      const again = await post(key, path, FORMATS[path], { by });
      expect(again.status).toBe(200);
      expect(await again.text()).toBe(text);
      expect(again.headers.get("attune-served-by")).toBe(first.headers.get("attune-served-by"));
    }
    expect(upstream.received).toHaveLength(1);
    expect(await inferences()).toBe(before + 1);
  });

  it.each(PATHS)("gives a stream again at %s, byte for byte", async (path) => {
    const key = newKey();
    const body = { ...FORMATS[path], stream: true };
    const text = await (await post(key, path, body)).text();
    expect(text).toContain("data: ");
    for (const by of [service, other]) expect(await (await post(key, path, body, { by })).text()).toBe(text);
    expect(upstream.received).toHaveLength(1);
  });

  it("has a second join the first from its start, in whichever process", async () => {
    const goOn = scriptHeld();
    const key = newKey();
    const body = { ...CHAT, stream: true };
    const path = "/v1/chat/completions";
    const first = await post(key, path, body);
    const here = await post(key, path, body);
    const elsewhere = post(key, path, body, { by: other });
    goOn();
    const text = await first.text();
    expect(await here.text()).toBe(text);
    expect(await (await elsewhere).text()).toBe(text);
    expect(upstream.received).toHaveLength(1);
  });

  it.each([true, false])("goes on when the time of its caller is over; streamed: %s", async (stream) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.answer({
      streamed: { steps: [{ until: promise }, ...answerOf(FRAMES.chat.text).steps] },
      whole: { ...wholeAnswer(WHOLES.chat.text), steps: [{ until: promise }, WHOLES.chat.text] },
    });
    const [key, path, body] = [newKey(), "/v1/chat/completions", { ...CHAT, stream }];
    const late = await post(key, path, body, { more: { "x-request-timeout": "100ms" } });
    expect(late.status).toBe(504);
    resolve();
    expect((await post(key, path, body, { more: { "x-request-timeout": "60" } })).status).toBe(200);
    expect(upstream.received).toHaveLength(1);
  });

  it("goes on when its caller leaves", async () => {
    const goOn = scriptHeld();
    const key = newKey();
    const body = { ...CHAT, stream: true };
    const leave = new AbortController();
    const first = await post(key, "/v1/chat/completions", body, { signal: leave.signal });
    expect(first.status).toBe(200);
    leave.abort();
    goOn();
    expect(await (await post(key, "/v1/chat/completions", body, { by: other })).text()).toContain("[DONE]");
    expect(upstream.received).toHaveLength(1);
  });

  it.each([
    ["/v1/chat/completions", { error: { type: "invalid_request_error", code: "idempotency_key_reused" } }],
    ["/v1/responses", { error: { type: "invalid_request_error", code: "idempotency_key_reused" } }],
    ["/v1/messages", { type: "error", error: { type: "invalid_request_error" } }],
  ] as const)("refuses another body under the same key at %s with 422", async (path, envelope) => {
    const key = newKey();
    await (await post(key, path, FORMATS[path])).text();
    for (const by of [service, other]) {
      const answer = await post(key, path, { ...FORMATS[path], temperature: 0.5 }, { by });
      expect(answer.status).toBe(422);
      expect(answer.headers.get("x-should-retry")).toBe("false");
      expect(await answer.json()).toMatchObject(envelope);
    }
    expect(upstream.received).toHaveLength(1);
  });

  it("keeps no failure that may be tried again, and keeps others", async () => {
    const key = newKey();
    upstream.answer({ status: 529, steps: ["{}"] });
    expect((await post(key, "/v1/chat/completions", CHAT)).status).toBeGreaterThanOrEqual(500);
    upstream.answer({ streamed: answerOf(FRAMES.chat.text), whole: wholeAnswer(WHOLES.chat.text) });
    await waitFor(async () => expect((await post(key, "/v1/chat/completions", CHAT)).status).toBe(200));

    const wrong = newKey();
    const asked = { model: "attune/unknown", messages: CHAT.messages };
    const first = await post(wrong, "/v1/chat/completions", asked);
    const again = await post(wrong, "/v1/chat/completions", asked, { by: other });
    expect([first.status, again.status]).toEqual([404, 404]);
    expect(await again.json()).toEqual(await first.json());
  });

  it("refuses a key that is no key", async () => {
    const answer = await post("é", "/v1/chat/completions", CHAT);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining("'idempotency-key'") } });
  });

  it("answers 409 where the answer was deleted", async () => {
    const key = newKey();
    const body = { model: MODEL.chat, input: "Hello" };
    const { id } = (await (await post(key, "/v1/responses", body)).json()) as { id: string };
    const deleted = await fetch(`${service.url}/v1/responses/${id}`, { method: "DELETE", headers: service.headers });
    expect(deleted.status).toBe(200);
    const again = await post(key, "/v1/responses", body, { by: other });
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({ error: { code: "answer_not_kept" } });
  });

  it.each([false, true])("keeps no answer whose caller has no texts kept, streamed: %s", async (stream) => {
    const key = newKey();
    const more = { "attune-store": "none" };
    const body = { ...CHAT, stream };
    const first = await post(key, "/v1/chat/completions", body, { more });
    expect(await first.text()).toContain('"finish_reason":"stop"');
    // Until that is written, who sends it again joins the first.
    for (const by of [service, other]) {
      await waitFor(async () => {
        const again = await post(key, "/v1/chat/completions", body, { more, by });
        expect([again.status, await again.text()]).toEqual([409, expect.stringContaining("answer_not_kept")]);
      });
    }
    const row = await databases.store
      .query()
      .selectFrom("IdempotentCall")
      .select(["state", "answer"])
      .where("key", "=", key)
      .executeTakeFirst();
    expect(row).toEqual({ state: "not kept", answer: null });
    expect(upstream.received).toHaveLength(1);
  });

  it("begins one response in the background", async () => {
    const key = newKey();
    const body = { ...FORMATS["/v1/responses"], background: true };
    const ids = [];
    for (const by of [service, service, other]) {
      const answer = await post(key, "/v1/responses", body, { by });
      expect(answer.status).toBe(200);
      ids.push(((await answer.json()) as { id: string }).id);
    }
    expect(new Set(ids).size).toBe(1);
    await waitFor(() => expect(upstream.received).toHaveLength(1));
  });

  it("stores feedback once", async () => {
    const answer = await fetch(`${service.url}/v1/chat/completions`, {
      method: "POST",
      headers: service.headers,
      body: JSON.stringify(CHAT),
    });
    const { id } = (await answer.json()) as { id: string };
    const key = newKey();
    const events = [{ id, feedback: { good: true, note: "yes" } }];
    const first = await (await post(key, "/v1/feedback", events)).json();
    expect(await (await post(key, "/v1/feedback", events)).json()).toEqual(first);
    expect(await (await post(key, "/v1/feedback", events, { by: other })).json()).toEqual(first);
    const changed = await post(key, "/v1/feedback", [{ id, feedback: { good: false } }]);
    expect(changed.status).toBe(422);
    await Promise.all([service.flush(), other.flush()]);
    const entries = databases.store.query().selectFrom("FeedbackEntry").select("name").where("inferenceId", "=", id);
    expect((await entries.execute()).map(({ name }) => name).sort()).toEqual(["good", "note"]);
  });

  it("takes a key over RPC, as a field or as metadata", async () => {
    const clientOf = ({ url }: TestService) =>
      createClient(InferenceService, createConnectTransport({ baseUrl: url, httpVersion: "1.1" }));
    const input = {
      model: MODEL.chat,
      messages: [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "Hello" } } }] }],
    };
    const idempotencyKey = newKey();
    const first = await clientOf(service).generate({ input, idempotencyKey }, { headers: service.headers });
    const again = await clientOf(other).generate({ input, idempotencyKey }, { headers: other.headers });
    expect(again).toEqual(first);
    const headers = { ...service.headers, "idempotency-key": newKey() };
    const events = [];
    for (let call = 0; call < 2; call += 1) {
      const answer = [];
      for await (const batch of clientOf(service).streamGenerate({ input }, { headers })) answer.push(...batch.events);
      events.push(answer);
    }
    expect(events[1]).toEqual(events[0]);
    expect(upstream.received).toHaveLength(2);
    const differing = clientOf(service).generate({ input, idempotencyKey }, { headers });
    await expect(differing).rejects.toThrow("idempotency_key");
    const long = { ...service.headers, "idempotency-key": "k".repeat(256) };
    await expect(clientOf(service).generate({ input }, { headers: long })).rejects.toThrow(
      "idempotency-key: must have",
    );
  });
});
