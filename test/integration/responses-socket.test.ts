import { request as httpRequest } from "node:http";
import type OpenAI from "openai";
import { ResponsesWS } from "openai/resources/responses/ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createKey, revokeKey } from "../../src/store/keys/key-repository.ts";
import { answerOf, MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { CALLS, FRAMES, SIGNATURE, TEXT, UPSTREAM_KINDS, type UpstreamKind } from "../support/upstream-frames.ts";
import { waitFor } from "../support/wait.ts";

type Event = OpenAI.Responses.ResponsesServerEvent;
type Json = Record<string, unknown>;

/** Clients that take nothing are cut after half a second. */
const SETTINGS = "server: { clientIdleMs: 1000, shutdownMs: 300, limits: { bodyBytes: 65536 } }\n";

let fixture: SdkFixture;

beforeAll(async () => {
  // An answer that is too large for the buffers on its way.
  const change = (yaml: string) => SETTINGS + yaml.replaceAll("maxOutputTokens: 4096", "maxOutputTokens: 200000");
  fixture = await startSdkFixture({ change });
});

afterAll(() => fixture.close());

const lastText = (): string => fixture.upstream.received.at(-1)?.body ?? "";
const user = (text: string) => ({ type: "message" as const, role: "user" as const, content: text });
const ENDS = new Set(["response.completed", "response.incomplete", "response.failed"]);

/** What the SDK tells of a connection. */
interface Told {
  readonly type: string;
  readonly message?: Event;
  readonly error?: { readonly error?: Event };
}

/** A connection of the official SDK. */
class Connection {
  readonly #ws: ResponsesWS;
  readonly #events: AsyncIterator<Told>;

  constructor() {
    this.#ws = new ResponsesWS(fixture.openai());
    this.#events = this.#ws.stream()[Symbol.asyncIterator]() as AsyncIterator<Told>;
  }

  /** Sends a request; returns its events, up to that which ends it. */
  async create(members: Json): Promise<Event[]> {
    this.send(members);
    return await this.rest();
  }

  send(members: Json): void {
    this.#ws.send({ type: "response.create", ...members } as OpenAI.Responses.ResponsesClientEvent);
  }

  async rest(): Promise<Event[]> {
    const events: Event[] = [];
    for (let next = await this.#events.next(); next.done !== true; next = await this.#events.next()) {
      const { type, message, error } = next.value;
      if (type === "close") break;
      // The SDK wraps what it is told went wrong.
      if (type === "error" && error?.error) {
        events.push(error.error);
        break;
      }
      if (message === undefined) continue;
      events.push(message);
      if (ENDS.has(message.type) || message.type === "error") break;
    }
    return events;
  }

  close(): void {
    this.#ws.close();
  }
}

const idOf = (events: readonly Event[]): string => {
  const [first] = events;
  return first?.type === "response.created" ? first.response.id : "";
};
const outputOf = (events: readonly Event[]): OpenAI.Responses.ResponseOutputItem[] => {
  const last = events.at(-1);
  return last?.type === "response.completed" ? last.response.output : [];
};

/** A connection without the SDK: what it got, as text, and how it was closed. */
async function connect(headers: Record<string, string> = { authorization: `Bearer ${fixture.service.key}` }) {
  const socket = new WebSocket(`${fixture.service.url.replace("http", "ws")}/v1/responses`, { headers });
  const frames: Json[] = [];
  socket.on("message", (data) => frames.push(JSON.parse(String(data))));
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  await new Promise<void>((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return { socket, frames, closed, send: (value: unknown) => socket.send(JSON.stringify(value)) };
}

describe.each(UPSTREAM_KINDS)("WebSocket on /v1/responses, served by a %s upstream", (kind: UpstreamKind) => {
  const model = MODEL[kind];

  it("gives the events of a stream, and stores the answer", async () => {
    fixture.script(kind, "thinking");
    const { url, headers } = fixture.service;
    const body = JSON.stringify({ model, input: "Hello", stream: true });
    const sse = await (await fetch(`${url}/v1/responses`, { method: "POST", headers, body })).text();
    const types = [...sse.matchAll(/^event: (.*)$/gm)].map(([, type]) => type);
    const connection = new Connection();
    const events = await connection.create({ model, input: "Hello" });
    connection.close();
    expect(events.map(({ type }) => type)).toEqual(types);
    expect(events.map((event) => "sequence_number" in event && event.sequence_number)).toEqual(
      types.map((_, at) => at),
    );
    expect(await fixture.openai().responses.retrieve(idOf(events))).toMatchObject({ output_text: TEXT });
    expect(events[0]).toMatchObject({ headers: { "attune-served-by": kind, "attune-deviation": "none" } });
    for (const name of ["response.create", "background", "generate"]) expect(lastText()).not.toContain(name);
  });

  it.each([true, false])("goes on with the new items alone (store: %s)", async (store) => {
    fixture.script(kind, "calls", "thinking", "text");
    const tools = [{ type: "function", name: "get_weather", parameters: { type: "object" }, strict: false }];
    const connection = new Connection();
    const common = { model, store, tools, stream: true, instructions: "Be brief." };
    const first = await connection.create({ ...common, input: [user("Weather in Oslo and Rome?")] });
    expect(outputOf(first)).toMatchObject(CALLS.map(({ name }) => ({ type: "function_call", name })));
    const results = CALLS.map(({ id }, at) => ({
      type: "function_call_output",
      call_id: id,
      output: `${at + 4} degrees`,
    }));
    const second = await connection.create({ ...common, previous_response_id: idOf(first), input: results });
    expect(second.at(-1)).toMatchObject({
      type: "response.completed",
      response: { previous_response_id: idOf(first), store },
    });
    const third = await connection.create({ ...common, previous_response_id: idOf(second), input: [user("Thanks!")] });
    expect(outputOf(third)).toMatchObject([{ type: "message" }]);
    for (const said of ["Weather in Oslo and Rome?", "4 degrees", "5 degrees", "Thanks!", "Be brief."]) {
      expect(lastText().split(said), said).toHaveLength(2);
    }
    expect(lastText()).toContain(kind === "chat" ? "Let me think." : JSON.stringify(SIGNATURE));
    expect(lastText()).not.toContain(idOf(second));
    // A connection remembers the last response, and no other.
    const again = await connection.create({ ...common, previous_response_id: idOf(first), input: [user("Again")] });
    connection.close();
    if (store) expect(again.at(-1)).toMatchObject({ type: "response.completed" });
    else {
      const error = { code: "previous_response_not_found", param: "previous_response_id" };
      expect(again).toMatchObject([{ type: "error", status: 400, error }]);
    }
  });

  it("takes note of what comes before without asking the model", async () => {
    fixture.script(kind, "text");
    const asked = fixture.upstream.received.length;
    const connection = new Connection();
    const warm = await connection.create({ model, store: false, generate: false, input: [user("The rules.")] });
    expect(warm.map(({ type }) => type)).toEqual(["response.created", "response.in_progress", "response.completed"]);
    expect(outputOf(warm)).toEqual([]);
    expect(fixture.upstream.received).toHaveLength(asked);
    const input = [user("Go on.")];
    const events = await connection.create({ model, store: false, previous_response_id: idOf(warm), input });
    connection.close();
    expect(outputOf(events)).toMatchObject([{ content: [{ text: TEXT }] }]);
    expect(lastText().indexOf("The rules.")).toBeGreaterThan(0);
    expect(lastText().indexOf("Go on.")).toBeGreaterThan(lastText().indexOf("The rules."));
  });

  it("keeps no texts of a connection that says so, and goes on within it", async () => {
    fixture.script(kind, "text", "text");
    const { service } = fixture;
    const headers = { authorization: `Bearer ${service.key}`, "attune-store": "none" };
    const { socket, frames, send } = await connect(headers);
    const ends = () => frames.filter(({ type }) => type === "response.completed") as { response: Json }[];
    send({ type: "response.create", model, input: "The rules." });
    await waitFor(() => expect(ends()).toHaveLength(1));
    const [
      {
        response: { id, store },
      } = { response: {} },
    ] = ends();
    expect(store).toBe(false);
    send({ type: "response.create", model, previous_response_id: id, input: "Go on." });
    await waitFor(() => expect(ends()).toHaveLength(2));
    socket.close();
    expect(lastText()).toContain("The rules.");
    const { status } = await fetch(`${service.url}/v1/responses/${String(id)}`, { headers: service.headers });
    expect(status).toBe(404);
  });

  it("tells of a failure in the middle, and answers what comes next", async () => {
    const { text } = FRAMES[kind];
    const begun = text.slice(0, text.findIndex((frame) => frame.includes("Grüße")) + 1);
    fixture.upstream.answer({ steps: [...begun, { waitMs: 50 }, "die"] }, answerOf(text));
    const { socket, frames, send } = await connect();
    send({ type: "response.create", model, input: "Hello" });
    send({ type: "response.create", model, input: "Hello again" });
    await waitFor(() => expect(frames.at(-1)).toMatchObject({ type: "response.completed" }));
    const failed = frames.findIndex(({ type }) => type === "response.failed");
    expect(frames[failed]).toMatchObject({ sequence_number: failed, response: { error: { code: "server_error" } } });
    expect(frames.some(({ type }) => type === "error")).toBe(false);
    expect(frames[failed + 1]).toMatchObject({ type: "response.created", sequence_number: 0 });
    socket.close();
  });

  it("breaks off the upstream's answer when its client leaves", async () => {
    const never = Promise.withResolvers<void>();
    fixture.upstream.answer({ steps: [...FRAMES[kind].text.slice(0, 3), { until: never.promise }] });
    const { socket, frames, send } = await connect();
    send({ type: "response.create", model, input: "Hello" });
    await waitFor(() => expect(frames.length).toBeGreaterThanOrEqual(2));
    const id = frames[0]?.id;
    socket.terminate();
    await fixture.upstream.received.at(-1)?.aborted;
    never.resolve();
    await waitFor(async () => {
      await fixture.service.flush();
      const row = fixture.service.store.query().selectFrom("Inference").select("status").where("id", "=", String(id));
      expect(await row.executeTakeFirst()).toEqual({ status: "canceled" });
    });
  });
});

describe("WebSocket on /v1/responses", () => {
  it.each([
    ["no key", {}, 401],
    ["a wrong key", { authorization: "Bearer attune_nothing" }, 401],
  ])("judges the key before anything else: %s", async (_name, headers, status) => {
    const socket = new WebSocket(`${fixture.service.url.replace("http", "ws")}/v1/responses`, { headers });
    const answer = await new Promise<{ statusCode?: number; body: string }>((resolve) => {
      socket.once("unexpected-response", (_request, response) => {
        let body = "";
        response.on("data", (chunk) => {
          body += chunk;
        });
        response.on("end", () => resolve({ statusCode: response.statusCode ?? 0, body }));
      });
    });
    expect(answer.statusCode).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: "invalid_api_key" } });
  });

  it("refuses to steer a response at once, in the words of the format", async () => {
    fixture.script("chat", "text");
    const { socket, frames, send, closed } = await connect();
    const input = [{ role: "user", content: "Shorter." }];
    send({ type: "response.steer", previous_response_id: "resp_1", input });
    send({ type: "response.steer", previous_response_id: "resp_1" });
    await waitFor(() => expect(frames).toHaveLength(2));
    const steer = { previous_response_id: "resp_1", input };
    expect(frames).toMatchObject([
      {
        type: "response.steer.failed",
        error: { type: "invalid_request_error", code: "steering_not_supported" },
        steer,
      },
      { type: "response.steer.failed", error: { code: "invalid_input" } },
    ]);
    socket.close();
    await closed;
  });

  it("refuses what is wrong by an error, and goes on", async () => {
    fixture.script("chat", "text");
    const { socket, frames, send, closed } = await connect();
    const deep = `{"type":"response.create","input":${"[".repeat(300)}${"]".repeat(300)}}`;
    socket.send("{");
    socket.send(deep);
    socket.send(Buffer.from("{}"), { binary: true });
    send([]);
    send({ type: "response.create", model: "attune/none", input: "x" });
    send({ type: "response.create", model: MODEL.chat, input: "x", temperature: 3 });
    send({ type: "response.create", model: MODEL.chat, input: "x", stream_id: "a" });
    send({ type: "response.create", model: MODEL.chat, input: "x" });
    await waitFor(() => expect(frames.at(-1)).toMatchObject({ type: "response.completed" }));
    const errors = frames.filter(({ type }) => type === "error");
    expect(errors.map(({ status }) => status)).toEqual([400, 400, 400, 400, 404, 400, 400]);
    expect(errors).toMatchObject([
      { error: { message: expect.stringContaining("not valid JSON") } },
      { error: { message: expect.stringContaining("256") } },
      { error: { message: expect.stringContaining("text frames") } },
      { error: { message: expect.stringContaining("must be a JSON object") } },
      { error: { code: "model_not_found" } },
      { error: { param: "temperature" } },
      { error: { param: "stream_id" } },
    ]);
    socket.close();
    await closed;
  });

  it("closes where a frame is larger than a body may be", async () => {
    const { closed, send } = await connect();
    send({ type: "response.create", model: MODEL.chat, input: "x".repeat(65_536) });
    expect(await closed).toBe(1009);
  });

  it("lets no more than sixteen requests wait", async () => {
    const held = Promise.withResolvers<void>();
    fixture.upstream.answer({ steps: [{ until: held.promise }, ...FRAMES.chat.text] });
    const { socket, frames, send } = await connect();
    for (let count = 0; count < 18; count++) send({ type: "response.create", model: MODEL.chat, input: `${count}` });
    await waitFor(() => expect(frames).toMatchObject([{ type: "error", status: 429 }]));
    held.resolve();
    await waitFor(() => expect(frames.filter(({ type }) => type === "response.completed")).toHaveLength(17));
    socket.close();
  });

  it("cuts a client that takes nothing, and the upstream with it", async () => {
    const frame = FRAMES.chat.text[1] ?? "";
    const many = Array.from({ length: 200 }, () => frame.replace("Grüße 🌍", "x".repeat(200_000)));
    fixture.upstream.answer({ steps: many, hang: true });
    const { socket, closed, send } = await connect();
    socket.pause();
    send({ type: "response.create", model: MODEL.chat, input: "x" });
    await waitFor(() => expect(fixture.upstream.received.at(-1)?.body).toContain('"x"'));
    const received = fixture.upstream.received.at(-1);
    await received?.aborted;
    // It was not read to its end either.
    expect(received?.sent.bytes).toBeLessThan(30_000_000);
    socket.resume();
    expect(await closed).toBe(1006);
  });

  it("closes a connection whose key was revoked, at the next request", async () => {
    const { key, info } = await createKey(fixture.service.store, { name: "short" });
    const { frames, send, closed } = await connect({ authorization: `Bearer ${key}` });
    await revokeKey(fixture.service.store, info.id);
    await waitFor(() => {
      send({ type: "response.create", model: "attune/none", input: "x" });
      expect(frames.at(-1)).toMatchObject({ type: "error", status: 401, error: { code: "invalid_api_key" } });
    });
    expect(await closed).toBe(1008);
  });

  it("ignores other wishes to change the protocol", async () => {
    fixture.script("chat", "text");
    const { url, headers } = fixture.service;
    const ask = (path: string, method: string, upgrade: string, body = "") =>
      new Promise<number>((resolve, reject) => {
        const wish = {
          connection: "Upgrade",
          upgrade,
          "sec-websocket-version": "13",
          "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
        };
        const sent = httpRequest(url + path, { method, headers: { ...headers, ...wish } }, (answer) => {
          answer.resume();
          answer.on("end", () => resolve(answer.statusCode ?? 0));
        });
        sent.on("upgrade", () => resolve(101)).on("error", reject);
        sent.end(body);
      });
    const body = JSON.stringify({ model: MODEL.chat, input: "Hello" });
    expect(await ask("/v1/responses", "POST", "h2c", body)).toBe(200);
    expect(await ask("/v1/responses", "POST", "websocket", body)).toBe(200);
    expect(await ask("/v1/models", "GET", "websocket")).toBe(200);
    expect(await ask("/healthz", "GET", "websocket")).toBe(200);
    expect(await ask("/v1/responses", "GET", "h2c")).toBe(405);
  });
});

describe("WebSocket on /v1/responses, when the service ends", () => {
  const request = JSON.stringify({ type: "response.create", model: MODEL.chat, input: "x" });

  async function open({ service }: SdkFixture) {
    const headers = { authorization: `Bearer ${service.key}` };
    const socket = new WebSocket(`${service.url.replace("http", "ws")}/v1/responses`, { headers });
    const frames: Json[] = [];
    socket.on("message", (data) => frames.push(JSON.parse(String(data))));
    const closed = new Promise<number>((resolve) => socket.once("close", resolve));
    await new Promise((resolve) => socket.once("open", resolve));
    return { socket, frames, closed };
  }

  it("lets the answer end, and closes", async () => {
    const ending = await startSdkFixture({ change: (yaml) => `server: { shutdownMs: 40000 }\n${yaml}` });
    const held = Promise.withResolvers<void>();
    ending.upstream.answer({
      steps: [...FRAMES.chat.text.slice(0, 3), { until: held.promise }, ...FRAMES.chat.text.slice(3)],
    });
    const [idle, busy] = [await open(ending), await open(ending)];
    busy.socket.send(request);
    await waitFor(() => expect(busy.frames.length).toBeGreaterThanOrEqual(2));
    const closing = ending.service.close();
    expect(await idle.closed).toBe(1001);
    held.resolve();
    expect(await busy.closed).toBe(1001);
    expect(busy.frames.at(-1)).toMatchObject({ type: "response.completed" });
    await closing;
    await ending.upstream.close();
  });

  it("breaks off the answer that does not end in time, says so, and closes", async () => {
    const ending = await startSdkFixture({ change: (yaml) => SETTINGS + yaml });
    ending.upstream.answer({ steps: FRAMES.chat.text.slice(0, 3), hang: true });
    const stuck = await open(ending);
    stuck.socket.send(request);
    await waitFor(() => expect(stuck.frames.length).toBeGreaterThanOrEqual(2));
    const closing = ending.service.close();
    expect(await stuck.closed).toBe(1001);
    expect(stuck.frames.at(-1)).toMatchObject({
      type: "response.failed",
      response: { error: { message: expect.stringContaining("the service is stopping") } },
    });
    await closing;
    await ending.upstream.close();
  });
});
