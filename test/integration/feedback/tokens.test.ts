import { gzipSync } from "node:zlib";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FeedbackService } from "../../../gen/attune/feedback/v1/feedback_pb.ts";
import { ModelService } from "../../../gen/attune/model/v1/model_pb.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { createKey, revokeKey } from "../../../src/store/keys/key-repository.ts";
import { readInferenceWithFeedback } from "../../../src/store/read/read-inference.ts";
import { createRatedNamesReader } from "../../../src/store/read/read-rated-names.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { waitUntil } from "../../support/wait.ts";
import { entries, plain } from "./values.ts";

const ORIGIN = "https://app.example.com";

/** A server makes tokens with its key, and a browser sends feedback with them. */
let service: TestService;
const lines: string[] = [];
let id: string;

beforeAll(async () => {
  service = await startTestService({
    yaml: `server: { browserOrigins: ["${ORIGIN}", "http://localhost:3000"] }`,
    log: pino({ level: "trace" }, { write: (line: string) => void lines.push(line) }),
  });
  id = await infer();
});

afterAll(() => service.close());

function post(path: string, body: unknown, key = service.key, more: Record<string, string> = {}): Promise<Response> {
  const headers = { ...service.headers, authorization: `Bearer ${key}`, ...more };
  return fetch(`${service.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function infer(): Promise<string> {
  const body = { model: "attune/gpt-6-astra", input: "Hello" };
  const answer = await post("/v1/responses", body, service.key, { "attune-session": "run-7" });
  return ((await answer.json()) as { id: string }).id;
}

async function tokenFor(target: object, key?: string): Promise<string> {
  return ((await (await post("/v1/feedback/tokens", target, key)).json()) as { token: string }).token;
}

interface Refusal {
  readonly error: { readonly message: string; readonly param: string | null };
}

async function refusalOf(answer: Response) {
  return { status: answer.status, ...((await answer.json()) as Refusal).error };
}

const rpcOf = (key: string) =>
  createConnectTransport({
    baseUrl: service.url,
    httpVersion: "1.1",
    interceptors: [
      (next) => (request) => {
        request.header.set("authorization", `Bearer ${key}`);
        return next(request);
      },
    ],
  });

async function failureOf(call: Promise<unknown>): Promise<string> {
  const thrown = await call.then(
    () => "it was answered",
    (error: unknown) => error,
  );
  return thrown instanceof ConnectError ? `${Code[thrown.code]}: ${thrown.rawMessage}` : String(thrown);
}

/** Returns the headers of an answer that browsers go by. */
function corsOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => /^access-control-|^vary$/.test(name)));
}

const HELPFUL = { helpful: true };

describe("a feedback token that names metrics", () => {
  const errorsOf = async (token: string, on: string, feedback: object) => {
    const answer = await post("/v1/feedback", [{ id: on, feedback }], token);
    return ((await answer.json()) as { error: { status_code: number; message: string } | null }[])[0]?.error ?? null;
  };

  it("sends these alone, within their bounds, once or several times", async () => {
    const on = await infer();
    const metrics = { stars: { min: 1, max: 5 }, edits: { min: 0, several: true }, helpful: {}, comment: {} };
    const token = await tokenFor({ id: on, metrics });
    expect(await errorsOf(token, on, { stars: 4, helpful: true, comment: "fine", edits: 2 })).toBeNull();
    expect(await errorsOf(token, on, { edits: 3 })).toBeNull();
    for (const [feedback, message] of [
      [{ stars: 1e300 }, "feedback.stars: was given before, and this feedback token sends it once"],
      [{ edits: -1 }, "feedback.edits: must be a number from 0 with this feedback token"],
      [{ edits: true }, "feedback.edits: must be a number from 0 with this feedback token"],
      [{ x: 1 }, "feedback.x: is not for this feedback token, which sends stars, edits, helpful, comment"],
      [{ __proto__x: 1 }, "feedback.__proto__x: is not for this feedback token, which sends"],
    ] as const) {
      expect(await errorsOf(token, on, feedback)).toEqual({
        status_code: 400,
        message: expect.stringContaining(message),
      });
    }
    const other = await infer();
    const next = await tokenFor({ id: other, metrics: { stars: { min: 1, max: 5 } } });
    expect(await errorsOf(next, other, { stars: 6 })).toMatchObject({
      message: expect.stringContaining("from 1 to 5"),
    });
    expect(await errorsOf(next, other, { stars: 5 })).toBeNull();
  });

  it("knows after a restart what was said before", async () => {
    const on = await infer();
    const token = await tokenFor({ id: on, metrics: { stars: {} } });
    expect(await errorsOf(token, on, { stars: 4 })).toBeNull();
    await waitUntil(
      async () => (await readInferenceWithFeedback(service.store, DEFAULT_PROJECT.id, on))?.feedback.length,
    );
    const rater = (await readInferenceWithFeedback(service.store, DEFAULT_PROJECT.id, on))?.feedback[0]?.rater;
    expect(rater).toMatch(/^address:/);
    const read = createRatedNamesReader(service.store);
    const grant = { inferenceId: on, attempt: null, sessionId: null, rater: rater ?? undefined };
    expect(await read(grant, DEFAULT_PROJECT.id, 50)).toEqual(["stars"]);
    expect(await read({ ...grant, rater: "address:other" }, DEFAULT_PROJECT.id, 50)).toEqual([]);
  });

  it.each([
    [{ stars: { min: 5, max: 1 } }, "metrics.stars.min"],
    [{ stars: { most: 1 } }, "metrics.stars.most"],
    [{ stars: { min: "1" } }, "metrics.stars.min"],
    [{ "": {} }, "metrics"],
    [{}, "metrics"],
    [Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`m${at}`, {}])), "metrics"],
    [{ ["m".repeat(2001)]: {} }, "metrics"],
  ])("is not made for %j", async (metrics, param) => {
    const refusal = await refusalOf(await post("/v1/feedback/tokens", { id, metrics }));
    expect(refusal).toMatchObject({ status: 400, param });
  });
});

describe("a flood of feedback by tokens", () => {
  it("is stopped at fifty values on an answer, and says so", async () => {
    const on = await infer();
    const token = await tokenFor({ id: on });
    const values = (count: number, name: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, at]));
    const events = [values(40, "a"), values(11, "b"), values(10, "c"), values(1, "d")].map((feedback) => ({
      id: on,
      feedback,
    }));
    const answer = await post("/v1/feedback", events, token);
    const results = (await answer.json()) as { error: { message: string } | null }[];
    expect(results.map(({ error }) => error?.message)).toEqual([
      undefined,
      "feedback: has 11 values, and 40 were given on this before: a feedback token sends at most 50 on one answer or session (server.limits.tokenValues)",
      undefined,
      "feedback: has 1 value, and 50 were given on this before: a feedback token sends at most 50 on one answer or session (server.limits.tokenValues)",
    ]);
  });

  it("is answered with 429 before it is read, beyond ten requests at once", async () => {
    const token = await tokenFor({ session: "flood" });
    const statuses = new Map<number, number>();
    for (let at = 0; at < 11; at++) {
      const { status } = await post("/v1/feedback", [{ session: "flood", feedback: {} }], token);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([
      [200, 10],
      [429, 1],
    ]);
    const refused = await post("/v1/feedback", [], token);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refusalOf(refused)).toMatchObject({
      message:
        "too much feedback with one feedback token: at most 30 requests a minute, in bursts of 10 (server.limits.tokenRequests)",
    });
  });
});

describe("a feedback token", () => {
  it("is good for an hour, or as long as is said", async () => {
    const before = Date.now();
    for (const [more, seconds] of [[{}, 3600] as const, [{ expires_in: 604_800 }, 604_800] as const]) {
      const answer = await post("/v1/feedback/tokens", { id, ...more });
      const body = (await answer.json()) as { token: string; expires_at: string };
      expect(body).toEqual({ token: expect.stringMatching(/^attfb_/), expires_at: expect.any(String) });
      const lifetimeMs = new Date(body.expires_at).getTime() - before;
      expect(lifetimeMs).toBeGreaterThanOrEqual(seconds * 1000);
      expect(lifetimeMs).toBeLessThan(seconds * 1000 + 60_000);
    }
  });

  it.each([
    ["nothing", {}, "id"],
    ["both", { id: "x", session: "run-7" }, "session"],
    ["what is no id", { id: "x" }, "id"],
    ["a long session", { session: "s".repeat(257) }, "session"],
    ["no time", { session: "run-7", expires_in: 0 }, "expires_in"],
    ["more than a week", { session: "run-7", expires_in: 604_801 }, "expires_in"],
    ["an unknown member", { session: "run-7", model: "m" }, "model"],
  ])("is not made for %s", async (_what, body, param) => {
    expect(await refusalOf(await post("/v1/feedback/tokens", body))).toMatchObject({
      status: 400,
      param,
      message: expect.stringContaining(`${param}: `),
    });
  });

  it("sends feedback on its answer, as the key that made it", async () => {
    const token = await tokenFor({ id: id.toUpperCase() });
    const answer = await post("/v1/feedback", [{ id, feedback: HELPFUL }], token);
    expect(await answer.json()).toEqual([{ feedback_ids: { helpful: expect.any(String) }, error: null }]);
    const read = () => readInferenceWithFeedback(service.store, DEFAULT_PROJECT.id, id);
    await waitUntil(async () => (await read())?.feedback.length === 1);
    const keyId = service.key.split("_")[1];
    expect((await read())?.feedback).toMatchObject([{ name: "helpful", booleanValue: true, keyId }]);
  });

  it("sends feedback on its session over RPC, which makes tokens too", async () => {
    const { token, expiresAt } = await createClient(FeedbackService, rpcOf(service.key)).createToken({
      sessionId: "run-7",
      expiresIn: { seconds: 60n },
    });
    expect(Number(expiresAt?.seconds ?? 0) * 1000).toBeGreaterThan(Date.now());
    const feedback = entries([["passed", plain(true)]]);
    const events = [
      { sessionId: "run-7", feedback },
      { inferenceId: id, feedback },
    ];
    const { results } = await createClient(FeedbackService, rpcOf(token)).createFeedback({ events });
    expect(results.map(({ outcome }) => outcome.case)).toEqual(["stored", "error"]);
    expect(results[1]?.outcome.value).toMatchObject({ code: Code.PermissionDenied });
    const late = createClient(FeedbackService, rpcOf(service.key)).createToken({ sessionId: "s", expiresIn: {} });
    expect(await failureOf(late)).toMatch(/^InvalidArgument: expires_in: /);
  });

  it("sends nothing on another answer, candidate or session: each is an error of its event", async () => {
    const [other, token] = [await infer(), await tokenFor({ id })];
    const targets = [{ id: other }, { id: `${id}.1` }, { session: "run-7" }, { id }];
    const answer = await post(
      "/v1/feedback",
      targets.map((target) => ({ ...target, feedback: HELPFUL })),
      token,
    );
    const refused = (member: string) => ({
      feedback_ids: null,
      error: {
        status_code: 403,
        message: `${member}: is not what this feedback token is for: send feedback on that alone`,
      },
    });
    const stored = { feedback_ids: { helpful: expect.any(String) }, error: null };
    expect(await answer.json()).toEqual([refused("id"), refused("id"), refused("session"), stored]);
  });

  it.each([
    ["GET", "/v1/models"],
    ["GET", "/v1/inferences"],
    ["GET", "/v1/usage"],
    ["POST", "/v1/chat/completions"],
    ["POST", "/v1/responses"],
    ["POST", "/v1/messages"],
    ["POST", "/v1/feedback/tokens"],
    ["GET", "/v1/admin/keys"],
  ])("is refused by %s %s", async (method, path) => {
    const headers = { authorization: `Bearer ${await tokenFor({ id })}`, "content-type": "application/json" };
    const body = method === "POST" ? { body: "{}" } : {};
    const answer = await fetch(`${service.url}${path}`, { method, headers, ...body });
    const message = path.includes("admin") ? /this isn't an admin key/ : /this is a feedback token/;
    expect(await refusalOf(answer)).toMatchObject({ status: 403, message: expect.stringMatching(message) });
  });

  it("is refused by all other RPCs", async () => {
    const transport = rpcOf(await tokenFor({ id }));
    const rpc = createClient(FeedbackService, transport);
    const refused = /^PermissionDenied: this is a feedback token/;
    expect(await failureOf(createClient(ModelService, transport).listModels({}))).toMatch(refused);
    expect(await failureOf(rpc.createToken({ inferenceId: id }))).toMatch(refused);
    const metric = { inferenceId: id, name: "m", value: { case: "boolean", value: true } } as const;
    expect(await failureOf(rpc.createMetric(metric))).toMatch(refused);
    const keyed = rpc.createFeedback({ events: [], idempotencyKey: "k" });
    expect(await failureOf(keyed)).toMatch(/^InvalidArgument: idempotency_key: is for API keys/);
    const byHeader = rpc.createFeedback({ events: [] }, { headers: { "idempotency-key": "k" } });
    expect(await failureOf(byHeader)).toMatch(/^InvalidArgument: idempotency-key: is for API keys/);
  });

  it("sends few events and small bodies, compressed ones too", async () => {
    const token = await tokenFor({ id });
    const many = Array.from({ length: 21 }, () => ({ id, feedback: HELPFUL }));
    const refusal = await refusalOf(await post("/v1/feedback", many, token));
    expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining("at most 20") });
    const note = "x".repeat(65_536);
    expect((await post("/v1/feedback", [{ id, feedback: { note } }], token)).status).toBe(413);
    const body = JSON.stringify({ events: [{ inferenceId: id, feedback: [{ name: "note", text: note }] }] });
    const zipped = await fetch(`${service.url}/attune.feedback.v1.FeedbackService/CreateFeedback`, {
      method: "POST",
      headers: { ...service.headers, authorization: `Bearer ${token}`, "content-encoding": "gzip" },
      body: gzipSync(body),
    });
    expect(zipped.status).toBe(400);
    expect(await zipped.text()).toContain("65536");
  });

  it("is refused once it was changed", async () => {
    const token = await tokenFor({ id });
    const at = token.length - 40;
    const forged = token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
    const refusal = await refusalOf(await post("/v1/feedback", [], forged));
    expect(refusal).toMatchObject({ status: 401, message: expect.stringContaining("POST /v1/feedback/tokens") });
  });

  it("ends with the key that made it", async () => {
    const { key, info } = await createKey(service.store, { name: "of a widget" });
    const token = await tokenFor({ id }, key);
    const statusOf = async () => (await post("/v1/feedback", [], token)).status;
    expect(await statusOf()).toBe(200);
    await revokeKey(service.store, info.publicId);
    await waitUntil(async () => (await statusOf()) === 401);
    const refusal = await refusalOf(await post("/v1/feedback", [], token));
    expect(refusal).toMatchObject({ status: 401, message: expect.stringContaining("was revoked") });
  });

  it("comes from pages of the origins that are configured", async () => {
    const token = await tokenFor({ id });
    const url = `${service.url}/v1/feedback`;
    const ask = { origin: ORIGIN, "access-control-request-method": "POST" };
    const preflight = await fetch(url, { method: "OPTIONS", headers: ask });
    expect(preflight.status).toBe(204);
    expect(corsOf(preflight)).toEqual({
      "access-control-allow-origin": ORIGIN,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "authorization, content-type",
      "access-control-expose-headers": "retry-after, x-request-id",
      "access-control-max-age": "600",
      vary: "origin",
    });
    const readable = {
      "access-control-allow-origin": ORIGIN,
      "access-control-expose-headers": "retry-after, x-request-id",
      vary: "origin",
    };
    const answer = await post("/v1/feedback", [{ id, feedback: HELPFUL }], token, { origin: ORIGIN });
    expect([answer.status, corsOf(answer)]).toEqual([200, readable]);
    const refused = await post("/v1/feedback", [], "attfb_forged", { origin: ORIGIN });
    expect([refused.status, corsOf(refused)]).toEqual([401, readable]);
  });

  it.each([
    ["another origin", "OPTIONS", "/v1/feedback", "https://evil.example.com"],
    ["another origin", "POST", "/v1/feedback", "https://evil.example.com"],
    ["an origin that only begins so", "POST", "/v1/feedback", `${ORIGIN}.evil.example.com`],
    ["no origin", "POST", "/v1/feedback", "null"],
    ["another route", "OPTIONS", "/v1/feedback/tokens", ORIGIN],
    ["another route", "POST", "/v1/feedback/tokens", ORIGIN],
    ["another method", "GET", "/v1/feedback", ORIGIN],
    ["inference", "OPTIONS", "/v1/responses", ORIGIN],
    ["inference", "POST", "/v1/responses", ORIGIN],
    ["RPC", "POST", "/attune.feedback.v1.FeedbackService/CreateFeedback", ORIGIN],
  ])("has no CORS headers for %s: %s %s", async (_what, method, path, origin) => {
    const headers = { ...service.headers, origin, "access-control-request-method": "POST" };
    const body = method === "POST" ? { body: "[]" } : {};
    const answer = await fetch(`${service.url}${path}`, { method, headers, ...body });
    await answer.text();
    expect(Object.keys(corsOf(answer)).filter((name) => name !== "vary")).toEqual([]);
  });

  it("never stands in the log", () => {
    expect(lines.join("")).toContain("/v1/feedback");
    expect(lines.join("")).not.toContain("attfb_");
  });
});
