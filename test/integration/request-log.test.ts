import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { ModelService } from "../../gen/attune/model/v1/model_pb.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

type Line = Record<string, unknown>;

const SECRET_TEXT = "nobody may read this";
const UUID = /^[0-9a-f-]{36}$/;

let service: TestService;
let lines: Line[] = [];

beforeAll(async () => {
  const log = pino(
    { base: undefined },
    {
      write(text: string) {
        lines.push(JSON.parse(text) as Line);
      },
    },
  );
  service = await startTestService({ log });
});

afterAll(() => service.close());

beforeEach(() => {
  lines = [];
});

/** Waits for the lines of as many requests. */
async function readLines(count = 1): Promise<Line[]> {
  return await waitFor(() => {
    const found = lines.filter(({ msg }) => msg === "request");
    expect(found).toHaveLength(count);
    return found;
  });
}

interface Call {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

async function call(path: string, { body, headers, method = "POST" }: Call = {}): Promise<Response> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { ...service.headers, ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  await response.text();
  return response;
}

const NAME = "gpt-6-astra";
const MODEL = `attune/${NAME}`;
const messages = [{ role: "user", content: SECRET_TEXT }];

const FORMATS: readonly (readonly [format: string, path: string, body: Line, model: string])[] = [
  ["chat", "/v1/chat/completions", { messages }, NAME],
  ["responses", "/v1/responses", { input: SECRET_TEXT }, NAME],
  ["messages", "/v1/messages", { messages, max_tokens: 100 }, "claude-haiku-5-5"],
];

describe("the line of a request in a JSON format", () => {
  it.each(FORMATS.flatMap((row) => [[...row, false] as const, [...row, true] as const]))(
    "has what is known of it: %s %s %j, model %s, stream %s",
    async (format, path, body, model, stream) => {
      const headers = { "x-request-id": `mine-${format}`, "attune-session": "session-7" };
      const response = await call(path, { body: { model: `attune/${model}`, ...body, stream }, headers });
      expect(response.status).toBe(200);
      expect(response.headers.get("x-request-id")).toBe(`mine-${format}`);
      const [line] = await readLines();
      expect(line).toEqual({
        level: 30,
        time: expect.any(Number),
        msg: "request",
        requestId: `mine-${format}`,
        inferenceId: expect.stringMatching(UUID),
        route: `POST ${path}`,
        format,
        model,
        upstream: "sandbox",
        deployment: "sandbox",
        session: "session-7",
        project: expect.any(String),
        key: expect.any(String),
        status: 200,
        outcome: "completed",
        inputTokens: expect.any(Number),
        outputTokens: expect.any(Number),
        costNanoUsd: expect.any(Number),
        durationMs: expect.any(Number),
        firstTokenMs: expect.any(Number),
        losses: 0,
      });
      expect(service.key).toContain(String(line?.key));
      expect(JSON.stringify(lines)).not.toContain(SECRET_TEXT);
      expect(JSON.stringify(lines)).not.toContain(service.key);
    },
  );

  it.each([
    ["unauthenticated", 401, "/v1/messages", { headers: { authorization: "Bearer sk-a-secret-that-is-none" } }],
    ["invalid_request", 400, "/v1/chat/completions", { body: "{" }],
    ["model_not_found", 404, "/v1/responses", { body: { model: SECRET_TEXT, input: "x" } }],
  ] as const)("says why it was refused: %s", async (reason, status, path, options) => {
    const response = await call(path, options);
    expect(response.status).toBe(status);
    const [line] = await readLines();
    const requestId = response.headers.get("x-request-id");
    expect(line).toMatchObject({ requestId, route: `POST ${path}`, format: expect.any(String), status, reason });
    expect(line).toMatchObject({ outcome: "refused", durationMs: expect.any(Number) });
    expect(line).not.toHaveProperty("inferenceId");
    expect(JSON.stringify(lines)).not.toMatch(/a-secret-that-is-none|nobody may/);
  });

  it("names no path that its caller chose, and is there for other routes too", async () => {
    await call("/v1/nobody-may-read-this", { body: {} });
    await call("/v1/models", { method: "GET" });
    await call("/v1/models", { method: "PUT", body: {} });
    const found = await readLines(3);
    expect(found.map(({ route, status, outcome }) => [route, status, outcome])).toEqual([
      ["none", 404, "refused"],
      ["GET /v1/models", 200, "completed"],
      ["PUT /v1/models", 405, "refused"],
    ]);
  });

  it("has an upstream's failure, beside the line of the attempt with the same ids", async () => {
    const response = await call("/v1/chat/completions", { body: { model: `${MODEL}:sandbox-error`, messages } });
    const [line] = await readLines();
    const { requestId, inferenceId } = line ?? {};
    expect(line).toMatchObject({ status: response.status, outcome: "failed", reason: "upstream_error" });
    const others = lines.filter(({ msg }) => msg !== "request");
    expect(others.map(({ msg }) => msg)).toEqual(expect.arrayContaining(["an attempt failed", "request failed"]));
    for (const other of others) expect(other).toMatchObject({ requestId, inferenceId });
  });

  it("has an id that the record has too", async () => {
    const headers = { "x-request-id": "mine-of-the-record" };
    await call("/v1/responses", { body: { model: MODEL, input: SECRET_TEXT }, headers });
    const [line] = await readLines();
    await service.flush();
    const query = service.store.query().selectFrom("Inference").select("id");
    expect(await query.where("requestId", "=", "mine-of-the-record").execute()).toEqual([{ id: line?.inferenceId }]);
  });

  it.each([false, true])("names the inference whose answer is given again, stream %s", async (stream) => {
    const headers = { "idempotency-key": `once-${stream}` };
    await call("/v1/chat/completions", { body: { model: MODEL, messages, stream }, headers });
    const [first] = await readLines();
    await call("/v1/chat/completions", { body: { model: MODEL, messages, stream }, headers });
    const [, again] = await readLines(2);
    expect(first).toMatchObject({ inferenceId: expect.stringMatching(UUID), outputTokens: expect.any(Number) });
    expect(again).toMatchObject({ inferenceId: first?.inferenceId, outcome: "completed", status: 200 });
    expect(again).not.toHaveProperty("outputTokens");
  });

  it("has the failure of a stream that breaks off", async () => {
    const model = `${MODEL}:sandbox-mid-stream-death`;
    await call("/v1/responses", { body: { model, input: SECRET_TEXT, stream: true } });
    const [line] = await readLines();
    expect(line).toMatchObject({ status: 200, outcome: "failed", reason: "stream_interrupted" });
  });

  it("has a new id where the caller's is none that may stand in a header", async () => {
    const response = await call("/v1/models", { method: "GET", headers: { "x-request-id": "two words" } });
    expect(response.headers.get("x-request-id")).toMatch(UUID);
    expect((await readLines())[0]?.requestId).toBe(response.headers.get("x-request-id"));
  });

  it("comes when its caller has left, with what its record says", async () => {
    const left = new AbortController();
    const body = JSON.stringify({ model: `${MODEL}:sandbox-slow-first-token=60000`, messages, stream: true });
    // Resolves with the head of the answer, which goes out when the inference has begun.
    const response = await fetch(`${service.url}/v1/chat/completions`, {
      method: "POST",
      headers: service.headers,
      body,
      signal: left.signal,
    });
    expect(response.status).toBe(200);
    left.abort();
    const [line] = await readLines();
    expect(line).toMatchObject({ outcome: "canceled", inferenceId: expect.stringMatching(UUID), model: NAME });
  });

  it("is two lines for a response in the background", async () => {
    const body = { model: MODEL, input: SECRET_TEXT, background: true };
    const response = await call("/v1/responses", { body });
    const found = await readLines(2);
    const requestId = response.headers.get("x-request-id");
    const ended = found.find(({ background }) => background === true);
    const begun = found.find(({ background }) => background === undefined);
    expect(begun).toMatchObject({ requestId, status: 200, model: NAME, inferenceId: ended?.inferenceId });
    expect(ended).toMatchObject({ requestId, outcome: "completed", outputTokens: expect.any(Number) });
  });
});

describe("the line of a turn of a WebSocket connection", () => {
  it("is there for each turn, and for none of the connection", async () => {
    const headers = { ...service.headers, "x-request-id": "my-socket" };
    const socket = new WebSocket(`${service.url.replace("http", "ws")}/v1/responses`, { headers });
    await new Promise((resolve) => socket.once("open", resolve));
    socket.send(JSON.stringify({ type: "response.create", model: MODEL, input: SECRET_TEXT }));
    await readLines(1);
    socket.send("{");
    const [answered, refused] = await readLines(2);
    const same = { requestId: "my-socket", route: "WebSocket /v1/responses", format: "responses" };
    expect(answered).toMatchObject({ ...same, model: NAME, status: 200, outcome: "completed" });
    expect(answered).toMatchObject({ inferenceId: expect.stringMatching(UUID), key: expect.any(String) });
    expect(refused).toMatchObject({ ...same, status: 400, outcome: "refused", reason: "invalid_request" });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.close();
    await closed;
    await call("/v1/models", { method: "GET" });
    await readLines(3);
  });

  it("is there for a connection that is refused", async () => {
    const socket = new WebSocket(`${service.url.replace("http", "ws")}/v1/responses`);
    await new Promise((resolve) => socket.once("error", resolve));
    const [line] = await readLines();
    expect(line).toMatchObject({ route: "GET /v1/responses", status: 401, outcome: "refused" });
  });
});

const TRANSPORTS: readonly (readonly [string, () => Transport])[] = [
  ["Connect over HTTP/1.1", () => createConnectTransport({ baseUrl: service.url, httpVersion: "1.1" })],
  ["gRPC", () => createGrpcTransport({ baseUrl: service.url })],
  ["gRPC-Web", () => createGrpcWebTransport({ baseUrl: service.url, httpVersion: "1.1" })],
];

describe.each(TRANSPORTS)("the line of a call over %s", (_name, createTransport) => {
  const input = {
    model: MODEL,
    messages: [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: SECRET_TEXT } } }] }],
  };
  const route = "attune.inference.v1.InferenceService";

  it("has what is known of it", async () => {
    const client = createClient(InferenceService, createTransport());
    const headers = { authorization: `Bearer ${service.key}`, "x-request-id": "mine-rpc", "attune-session": "s" };
    let told: string | null = null;
    const onHeader = (header: Headers) => {
      told = header.get("x-request-id");
    };
    const { id } = await client.generate({ input }, { headers, onHeader });
    expect(told).toBe("mine-rpc");
    const known = { requestId: "mine-rpc", format: "rpc", model: NAME, upstream: "sandbox", session: "s" };
    const [line] = await readLines();
    expect(line).toMatchObject({ ...known, route: `${route}/Generate`, inferenceId: id, outcome: "completed" });
    expect(line).toMatchObject({ outputTokens: expect.any(Number), costNanoUsd: expect.any(Number), status: 200 });
    expect(line).not.toHaveProperty("reason");
    for await (const _ of client.streamGenerate({ input }, { headers }));
    expect((await readLines(2))[1]).toMatchObject({ ...known, route: `${route}/StreamGenerate`, outcome: "completed" });
    await createClient(ModelService, createTransport()).listModels({}, { headers });
    const [, , listed] = await readLines(3);
    expect(listed).toMatchObject({ route: "attune.model.v1.ModelService/ListModels", outcome: "completed" });
    expect(JSON.stringify(lines)).not.toContain(SECRET_TEXT);
  });

  it("says why it was refused", async () => {
    const client = createClient(InferenceService, createTransport());
    const failure = await client.generate({ input }).catch(ConnectError.from);
    expect(failure).toMatchObject({ code: Code.Unauthenticated });
    const [line] = await readLines();
    expect(line).toMatchObject({ route: `${route}/Generate`, outcome: "refused", reason: "unauthenticated" });
  });
});
