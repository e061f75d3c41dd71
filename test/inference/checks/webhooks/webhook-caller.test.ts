import { createServer } from "node:net";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnswerWebhook } from "../../../../src/catalog/model.ts";
import {
  WebhookCaller,
  type WebhookClient,
  type WebhookTrouble,
  webhookHeaders,
} from "../../../../src/inference/checks/webhooks/webhook-caller.ts";
import { createWebhookClient } from "../../../../src/upstream/webhook-client.ts";
import { freePort } from "../../../support/free-port.ts";
import {
  type Answer,
  type ScriptedUpstream,
  startScriptedUpstream,
  wholeAnswer,
} from "../../../support/scripted-upstream.ts";

const ASKER = { projectId: "project" };

let upstream: ScriptedUpstream;
let results: string[] = [];
let troubles: WebhookTrouble[] = [];
let nowMs = 0;
const open = new Set<WebhookCaller>();

beforeAll(async () => {
  upstream = await startScriptedUpstream();
});
beforeEach(() => {
  [results, troubles, nowMs] = [[], [], 0];
  upstream.received.length = 0;
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all([...open].map((caller) => caller.close()));
  open.clear();
});
afterAll(() => upstream.close());

function callerOf(changes: Partial<AnswerWebhook> = {}, client?: WebhookClient): WebhookCaller {
  const url = `${upstream.url}/check?key=in-the-url`;
  const webhook = { url, deadlineMs: 40_000, concurrency: 4, headers: {}, sendPrompt: false, ...changes };
  const caller = new WebhookCaller(webhook, {
    createClient: client === undefined ? createWebhookClient : () => client,
    onResult: (_, result) => results.push(result),
    onTrouble: (trouble) => troubles.push(trouble),
    now: () => nowMs,
  });
  open.add(caller);
  return caller;
}

const PASS = wholeAnswer('{"pass":true}');
const FAIL = wholeAnswer('{"pass":false,"reason":"no date"}');
/** More than the longest time for which it is left alone. */
const LONG_MS = 120_000;

describe("WebhookCaller", () => {
  it.each<[string, Answer, string, "fits" | "mismatch" | undefined]>([
    ["lets it pass", PASS, "passed", "fits"],
    ["does not", FAIL, "rejected", "mismatch"],
    ["says more than it has to", wholeAnswer(' {"score": 0.2, "pass": true, "x": {}} '), "passed", "fits"],
    ["succeeds in another way", { ...PASS, status: 201 }, "passed", "fits"],
    ["fails", { ...PASS, status: 500 }, "bad_status", undefined],
    ["refuses", { ...PASS, status: 401 }, "bad_status", undefined],
    ["redirects", { ...PASS, status: 307, headers: { location: "/other" } }, "bad_status", undefined],
    ["says nothing", { status: 204, steps: [] }, "bad_answer", undefined],
    ["says no JSON", wholeAnswer("pass"), "bad_answer", undefined],
    ["says no object", wholeAnswer("true"), "bad_answer", undefined],
    ["says null", wholeAnswer("null"), "bad_answer", undefined],
    ["says something else", wholeAnswer('{"passed":true}'), "bad_answer", undefined],
    ["says no boolean", wholeAnswer('{"pass":"true"}'), "bad_answer", undefined],
    ["says too much", wholeAnswer(`{"pass":true,"reason":"${"x".repeat(16 * 1024)}"}`), "bad_answer", undefined],
    [
      "goes on for ever",
      { steps: Array.from({ length: 2000 }, () => " ".repeat(1000)), hang: true },
      "bad_answer",
      undefined,
    ],
    ["breaks off", { steps: ['{"pass"', "die"] }, "unreachable", undefined],
  ])("knows what to make of one that %s", async (_, answer, result, judged) => {
    upstream.answer(answer);
    expect(await callerOf().judge(() => "{}", ASKER)).toBe(judged);
    expect(results).toEqual([result]);
    expect(upstream.received.map(({ path }) => path)).toEqual(["/check?key=in-the-url"]);
  });

  it("sends the body as it is, with headers that are configured, and signs it", async () => {
    upstream.answer(PASS);
    const secret = "sixteen-characters";
    await callerOf({ secret, headers: { Authorization: "Bearer a-token" } }).judge(() => '{"a":"ü"}', ASKER);
    const [received] = upstream.received;
    expect(received?.body).toBe('{"a":"ü"}');
    const { headers } = received ?? {};
    expect(headers).toMatchObject({
      authorization: "Bearer a-token",
      "content-type": "application/json",
      "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      "webhook-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(Math.abs(Number(headers?.["webhook-timestamp"]) - Date.now() / 1000)).toBeLessThan(60);
  });

  it("waits no longer than its deadline, also where the answer drips, and breaks the call off", async () => {
    upstream.answer({ steps: ['{"pass":', { waitMs: 50 }, " ", { waitMs: 50 }, " "], hang: true });
    expect(await callerOf({ deadlineMs: 150 }).judge(() => "{}", ASKER)).toBeUndefined();
    expect(results).toEqual(["timeout"]);
    await upstream.received[0]?.aborted;
  });

  it("ends the call where nobody wants to know any more, and holds that against nobody", async () => {
    upstream.answer({ steps: [], hang: true });
    const caller = callerOf();
    for (let times = 0; times < 3; times++) {
      const stop = new AbortController();
      const judged = caller.judge(() => "{}", { ...ASKER, signal: stop.signal });
      await expect.poll(() => upstream.received.length).toBe(times + 1);
      stop.abort();
      expect(await judged).toBeUndefined();
      await upstream.received[times]?.aborted;
    }
    expect(await caller.judge(() => "{}", { ...ASKER, signal: AbortSignal.abort() })).toBeUndefined();
    expect(results).toEqual(["canceled", "canceled", "canceled", "canceled"]);
    expect(troubles).toEqual([]);
  });

  it("ends what is under way and what waits when it is closed, and is not asked afterwards", async () => {
    upstream.answer({ steps: [], hang: true });
    const caller = callerOf({ concurrency: 1 });
    const judged = [caller.judge(() => "{}", ASKER), caller.judge(() => "{}", ASKER)];
    await expect.poll(() => upstream.received.length).toBe(1);
    open.delete(caller);
    await caller.close();
    expect(await Promise.all(judged)).toEqual([undefined, undefined]);
    await caller.judge(() => "{}", ASKER);
    expect(results).toEqual(["canceled", "canceled", "canceled"]);
  });

  it("sends nothing of an answer that is too large", async () => {
    expect(await callerOf().judge(() => undefined, ASKER)).toBeUndefined();
    expect(results).toEqual(["too_large"]);
    expect(upstream.received).toEqual([]);
  });

  it("makes no more calls at once than it may; others wait for their turn until the deadline", async () => {
    let [under, most] = [0, 0];
    const waiting: (() => void)[] = [];
    const client: WebhookClient = {
      async post() {
        under += 1;
        most = Math.max(most, under);
        await new Promise<void>((resolve) => waiting.push(resolve));
        under -= 1;
        return { status: 200, text: '{"pass":true}' };
      },
      close: async () => {},
    };
    const caller = callerOf({ concurrency: 2, deadlineMs: 300 }, client);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const judged = [1, 2, 3, 4].map(() => caller.judge(() => "{}", ASKER));
    await turn();
    expect(waiting).toHaveLength(2);
    waiting.shift()?.();
    await turn();
    expect(waiting).toHaveLength(2);
    expect(results).toEqual(["passed"]);
    vi.advanceTimersByTime(300);
    await turn();
    expect(results).toEqual(["passed", "busy"]);
    for (const end of waiting) end();
    await Promise.all(judged);
    expect(most).toBe(2);
    expect(results).toEqual(["passed", "busy", "passed", "passed"]);
    // That there is much to do is no failure of the webhook.
    expect(troubles).toEqual([]);
  });

  it("leaves one alone that fails twice, and then has one call find out whether it is back", async () => {
    upstream.answer({ ...PASS, status: 503 });
    const caller = callerOf();
    const judge = () => caller.judge(() => "{}", ASKER);
    for (let times = 0; times < 4; times++) await judge();
    expect(results).toEqual(["bad_status", "bad_status", "skipped", "skipped"]);
    nowMs = LONG_MS;
    upstream.answer({ steps: [{ waitMs: 50 }, '{"pass":true}'] });
    await Promise.all([judge(), judge(), judge()]);
    expect(results.slice(4)).toEqual(["skipped", "skipped", "passed"]);
    await Promise.all([judge(), judge()]);
    expect(results.slice(7)).toEqual(["passed", "passed"]);
    expect(upstream.received).toHaveLength(5);
  });

  it("tells of failures once a minute, with their number, and of no more of the address than its host", async () => {
    const port = await freePort();
    const caller = callerOf({ url: `http://127.0.0.1:${port}/secret?key=secret`, secret: "secret-of-the-webhook" });
    const judge = () => caller.judge(() => "{}", ASKER);
    for (let times = 0; times < 5; times++) {
      await judge();
      nowMs += 10_000;
    }
    // 70 s in all: the one at 0 was told, those in the minute after it were not.
    nowMs = 70_000;
    await judge();
    expect(troubles.map(({ failures }) => failures)).toEqual([
      1,
      results.filter((result) => result === "unreachable").length - 1,
    ]);
    expect(troubles[0]).toMatchObject({ host: `127.0.0.1:${port}`, result: "unreachable", status: undefined });
    const told = troubles.map(({ error, ...facts }) => [
      JSON.stringify(facts),
      String(error),
      String((error as Error).cause),
    ]);
    expect(JSON.stringify(told)).not.toContain("secret");
  });

  it("goes on over one connection, and opens another where that was closed meanwhile", async () => {
    let connections = 0;
    const body = '{"pass":true}';
    const server = createServer((socket) => {
      connections += 1;
      let answered = 0;
      socket.on("data", () => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
        answered += 1;
        if (answered === 3) socket.end();
      });
      socket.on("error", () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const caller = callerOf({ url: `http://127.0.0.1:${address.port}/` });
    for (let times = 0; times < 6; times++) {
      await caller.judge(() => "{}", ASKER);
      await sleep(5);
    }
    expect(results).toEqual(Array.from({ length: 6 }, () => "passed"));
    expect(connections).toBe(2);
    server.close();
  });
});

const signatureOf = (secret: string | undefined, message: { id: string; timestamp: number; body: string }) =>
  webhookHeaders({ headers: {}, secret }, message)["webhook-signature"];

describe("webhookHeaders()", () => {
  it("has those that are configured, and its own", () => {
    const webhook = { headers: { authorization: "Bearer x" }, secret: undefined };
    expect(webhookHeaders(webhook, { id: "1", timestamp: 1_700_000_000, body: "{}" })).toEqual({
      authorization: "Bearer x",
      accept: "application/json",
      "content-type": "application/json",
      "webhook-id": "1",
      "webhook-timestamp": "1700000000",
    });
  });

  it("signs as openssl does: printf '%s' 'msg_1.1700000000.{\"a\":\"ü\"}' | openssl dgst -sha256 -hmac sixteen-characters -binary | base64", () => {
    const message = { id: "msg_1", timestamp: 1_700_000_000, body: '{"a":"ü"}' };
    const expected = "v1,Txs5MeGqQ4392cy0X0MmRjnU13uGIOW4Wy7GCS94gA8=";
    expect(signatureOf("sixteen-characters", message)).toBe(expected);
    // The same key in base64.
    expect(signatureOf("whsec_c2l4dGVlbi1jaGFyYWN0ZXJz", message)).toBe(expected);
  });

  it("signs as the example of Standard Webhooks does", () => {
    const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
    expect(signatureOf("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", message)).toBe(
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    );
  });
});
