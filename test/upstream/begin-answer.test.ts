import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import { createHubInput } from "../../src/hub/input.ts";
import type { Upstream } from "../../src/hub/upstream.ts";
import { createUpstreams } from "../../src/upstream/registry.ts";
import { sendCall } from "../support/send-call.ts";
import { stubModel } from "../support/stub-upstream.ts";
import { type CloudConfig, cloudUpstream } from "./clouds/call-cloud.ts";

const KEYS = ["sk-first-secret", "sk-second-secret", "sk-third-secret"] as const;

const WHOLE =
  '{"id":"c1","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}]}';

const HELLO = { role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "Say hello" } } }] };
const INPUT = createHubInput({ model: "attune/m", messages: [HELLO] });

/** The answer to a request that came by a key: status, headers, and a wait before it. */
interface KeyAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly until?: Promise<void>;
}

const closing: (() => Promise<unknown> | undefined)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Starts a server that answers by key, and notes the keys and paths of requests. */
async function startServer(answers: Record<string, KeyAnswer>) {
  const used: string[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const secret = String(request.headers["x-api-key"] ?? request.headers.authorization).replace("Bearer ", "");
    used.push(secret);
    for await (const _ of request);
    const { status = 200, headers = {}, body = WHOLE, until } = answers[secret] ?? {};
    await until;
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, used };
}

function open(config: Partial<CloudConfig> & Pick<CloudConfig, "baseUrl">) {
  const changes: string[] = [];
  const onKey = (upstream: string, change: object): void => void changes.push(`${upstream} ${JSON.stringify(change)}`);
  const upstreams = createUpstreams(
    { up: cloudUpstream({ kind: "openai-chat", apiKeys: KEYS, ...config }) },
    { environment: {}, onKey },
  );
  const upstream = upstreams.get("up");
  if (upstream === undefined) throw new Error("there is no upstream");
  closing.push(() => upstream.close?.());
  return { upstream, changes, states: () => upstream.keys?.report().map(({ state }) => state) };
}

async function call(upstream: Upstream, { model = "m", prefixKey = undefined as number | undefined } = {}) {
  const deployment = { upstream: "up", model };
  const target = { model: stubModel, deployment, streamed: false, inferenceId: "i", projectId: "p", prefixKey };
  try {
    for await (const _ of sendCall(upstream.prepare(INPUT, target)));
    return undefined;
  } catch (thrown) {
    return InferenceError.from(thrown);
  }
}

const remaining = (tokens: number): KeyAnswer => ({
  headers: { "x-ratelimit-limit-tokens": "100", "x-ratelimit-remaining-tokens": `${tokens}` },
});

describe("several keys of an upstream", () => {
  it("take turns while nothing is known of their limits", async () => {
    const { baseUrl, used } = await startServer({});
    const { upstream } = open({ baseUrl });
    for (let calls = 0; calls < 6; calls += 1) expect(await call(upstream)).toBeUndefined();
    expect(used).toEqual([...KEYS, ...KEYS]);
  });

  it("are chosen by what their limits have left, and what is under way", async () => {
    const { promise: until, resolve } = Promise.withResolvers<void>();
    const answers: Record<string, KeyAnswer> = {
      [KEYS[0]]: remaining(30),
      [KEYS[1]]: remaining(90),
      [KEYS[2]]: remaining(50),
    };
    const { baseUrl, used } = await startServer(answers);
    const { upstream } = open({ baseUrl });
    for (let calls = 0; calls < 4; calls += 1) await call(upstream);
    expect(used.slice(3)).toEqual([KEYS[1]]);
    for (const [key, answer] of Object.entries(answers)) answers[key] = { ...answer, until };
    // 0.9 of one, then its half against 0.5 of another.
    const calls = [call(upstream), call(upstream)];
    await expect.poll(() => used.slice(4)).toEqual([KEYS[1], KEYS[2]]);
    expect(upstream.keys?.report().map(({ inFlight, headroom }) => [inFlight, headroom])).toEqual([
      [0, 0.3],
      [1, 0.9],
      [1, 0.5],
    ]);
    expect(upstream.keys?.headroomOf("m")).toBe(0.9);
    resolve();
    await Promise.all(calls);
    expect(upstream.keys?.report().map(({ inFlight }) => inFlight)).toEqual([0, 0, 0]);
  });

  it("rest alone where a limit is used up: the call goes by another, and so do the next ones", async () => {
    const { baseUrl, used } = await startServer({
      [KEYS[0]]: { status: 429, headers: { "retry-after": "30" }, body: "{}" },
    });
    const { upstream, states, changes } = open({ baseUrl });
    for (let calls = 0; calls < 4; calls += 1) expect(await call(upstream)).toBeUndefined();
    expect(used).toEqual([KEYS[0], KEYS[1], KEYS[2], KEYS[1], KEYS[2]]);
    expect(states()).toEqual(["resting", "ready", "ready"]);
    // Limits are by model.
    await call(upstream, { model: "other" });
    expect(used.at(-2)).toBe(KEYS[0]);
    expect(changes).toEqual([]);
  });

  it("tell the shortest wait where the limits of all are used up", async () => {
    const limited = (seconds: string): KeyAnswer => ({ status: 429, headers: { "retry-after": seconds }, body: "{}" });
    const { baseUrl, used } = await startServer({
      [KEYS[0]]: limited("50"),
      [KEYS[1]]: limited("20"),
      [KEYS[2]]: limited("40"),
    });
    const { upstream } = open({ baseUrl });
    const error = await call(upstream);
    expect(error?.reason).toBe(ErrorReason.RATE_LIMITED);
    expect(error?.facts.retryAfterMs).toBeGreaterThan(15_000);
    expect(error?.facts.retryAfterMs).toBeLessThanOrEqual(20_000);
    expect(used).toEqual([...KEYS]);
    // One more asks only the key that is free first.
    await call(upstream);
    expect(used.slice(3)).toEqual([KEYS[1]]);
  });

  it.each([
    [401, '{"error":{"message":"Incorrect API key: sk-first-secret"}}'],
    [402, "{}"],
    [429, '{"error":{"code":"insufficient_quota","message":"no credit"}}'],
  ])("are left out where the upstream refuses them with %i %s, which is told without the key", async (status, body) => {
    const answers: Record<string, KeyAnswer> = { [KEYS[0]]: { status, body } };
    const { baseUrl, used } = await startServer(answers);
    const { upstream, states, changes } = open({ baseUrl });
    for (let calls = 0; calls < 4; calls += 1) expect(await call(upstream)).toBeUndefined();
    expect(used).toEqual([KEYS[0], KEYS[1], KEYS[2], KEYS[1], KEYS[2]]);
    expect(states()).toEqual(["refused", "ready", "ready"]);
    expect(changes).toEqual([`up {"kind":"refused","key":"apiKeys[0]","status":${status},"forMs":60000}`]);
  });

  it("are left out by 403 where another is not refused alike, and kept where it is the request's", async () => {
    const answers: Record<string, KeyAnswer> = Object.fromEntries(
      KEYS.map((key) => [key, { status: 403, body: "{}" }]),
    );
    const { baseUrl, used } = await startServer(answers);
    const { upstream, states } = open({ baseUrl });
    expect((await call(upstream))?.reason).toBe(ErrorReason.UPSTREAM_UNAUTHENTICATED);
    expect(states()).toEqual(["ready", "ready", "ready"]);
    expect(used).toEqual([...KEYS]);
    answers[KEYS[1]] = {};
    expect(await call(upstream)).toBeUndefined();
    expect(states()).toEqual(["refused", "ready", "ready"]);
  });

  it.each([
    [429, "the limit of [redacted] is used up", ["resting", "resting", "resting"]],
    [401, "the upstream refused this service's own credentials", ["refused", "refused", "refused"]],
  ])("name no key in the error where all are refused with %i", async (status, message, expected) => {
    const bodyOf = (key: string) => JSON.stringify({ error: { message: `the limit of ${key} is used up` } });
    const { baseUrl } = await startServer(
      Object.fromEntries(KEYS.map((key) => [key, { status, body: bodyOf(key), headers: { "x-request-id": key } }])),
    );
    const { upstream, states } = open({ baseUrl });
    const error = await call(upstream);
    expect(error?.message).toBe(message);
    expect(JSON.stringify([error?.message, error?.facts])).not.toMatch(/sk-\w+-secret/);
    expect(states()).toEqual(expected);
  });

  it.each([500, 400, 529])("are not to blame for %i", async (status) => {
    const { baseUrl, used } = await startServer({ [KEYS[0]]: { status, body: "{}" } });
    const { upstream, states } = open({ baseUrl });
    expect((await call(upstream))?.facts.upstreamStatus).toBe(status);
    expect(used).toEqual([KEYS[0]]);
    expect(states()).toEqual(["ready", "ready", "ready"]);
  });

  it("keep prompts that begin alike, and let go of them where limits run out", async () => {
    const answers: Record<string, KeyAnswer> = {};
    const { baseUrl, used } = await startServer(answers);
    const { upstream } = open({ baseUrl });
    for (let calls = 0; calls < 4; calls += 1) await call(upstream, { prefixKey: 7 });
    const [kept = ""] = used;
    expect(new Set(used)).toEqual(new Set([kept]));
    for (let prefixKey = 0; prefixKey < 40; prefixKey += 1) await call(upstream, { prefixKey });
    expect(new Set(used)).toEqual(new Set(KEYS));
    answers[kept] = remaining(10);
    await call(upstream, { prefixKey: 7 });
    await call(upstream, { prefixKey: 7 });
    expect(used.at(-2)).toBe(kept);
    expect(used.at(-1)).not.toBe(kept);
  });

  it("go into the header that auth names, and count tokens too", async () => {
    const { baseUrl, used } = await startServer({ [KEYS[0]]: { status: 401, body: "{}" } });
    const header = open({ baseUrl, auth: { type: "header", name: "x-api-key" } });
    expect(await call(header.upstream)).toBeUndefined();
    expect(used).toEqual([KEYS[0], KEYS[1]]);
    const messages = open({ baseUrl, kind: "anthropic-messages" });
    const deployment = { upstream: "up", model: "m" };
    const target = { model: stubModel, deployment, streamed: false, inferenceId: "i", projectId: "p" };
    const counted = messages.upstream.prepareCount?.(INPUT, target);
    await expect(counted?.send(new AbortController().signal)).rejects.toMatchObject({
      reason: ErrorReason.UPSTREAM_ERROR,
    });
    expect(used.slice(2)).toEqual([KEYS[0], KEYS[1]]);
  });
});
