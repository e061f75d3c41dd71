import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { bodyOf, FORMATS, PATH } from "../support/sdk-calls.ts";
import { MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";

/** Session, end user and tags of a call, from every transport to the columns of its record. */
let fixture: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture({
    change: (yaml) => `server: { sessionHeaders: [X-Team-Session] }\n${yaml}`,
  });
});

afterAll(() => fixture.close());

const HEADERS = { "attune-session": "run-7", "attune-user": "jane", "attune-tags": "team=search, env=prod" };
const FACTS = {
  sessionId: "run-7",
  sessionSource: "attune-session",
  parentSessionId: null,
  endUserId: "jane",
  tags: { team: "search", env: "prod" },
};

const idOf = (text: string): string => /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/.exec(text)?.[0] ?? "";

async function factsOf(id: string) {
  const { row } = await readWhenWritten(fixture.service.store, id);
  const { sessionId, sessionSource, parentSessionId, endUserId, tags } = row;
  return { sessionId, sessionSource, parentSessionId, endUserId, tags };
}

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const { service } = fixture;
  return await fetch(`${service.url}${path}`, {
    method: "POST",
    headers: { ...service.headers, ...headers },
    body: JSON.stringify(body),
  });
}

const lastSent = () => fixture.upstream.received.at(-1);

describe.each(FORMATS)("a call in the format %s", (format) => {
  it.each([false, true])(
    "is recorded with what its headers say (stream: %s), which no upstream is told",
    async (stream) => {
      fixture.script(format, "text");
      const answer = await post(PATH[format], { ...bodyOf(format, MODEL[format]), stream }, HEADERS);
      expect(answer.status).toBe(200);
      expect(await factsOf(idOf(await answer.text()))).toEqual(FACTS);
      expect(JSON.stringify([lastSent()?.headers, lastSent()?.body])).not.toMatch(/run-7|jane|attune-/);
    },
  );

  it("is refused where a header is no session", async () => {
    const answer = await post(PATH[format], bodyOf(format, MODEL[format]), { "attune-tags": "team" });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("the header 'attune-tags' must be names with values: team=search, env=prod");
  });

  it("takes a header of the configuration, and members of the body", async () => {
    fixture.script(format, "text");
    const named = format === "messages" ? { metadata: { user_id: "jo" } } : { metadata: { city: "Graz" }, user: "jo" };
    const answer = await post(PATH[format], { ...bodyOf(format, MODEL[format]), ...named }, { "x-team-session": "t1" });
    expect(answer.status).toBe(200);
    expect(await factsOf(idOf(await answer.text()))).toMatchObject({
      sessionId: "t1",
      sessionSource: "x-team-session",
      endUserId: "jo",
      tags: format === "messages" ? null : { city: "Graz" },
    });
  });
});

describe("a chain of responses", () => {
  it("is a session that has the name of its first", async () => {
    fixture.script("responses", "text", "text", "text");
    const client = fixture.openai();
    const first = await client.responses.create({ model: MODEL.responses, input: "One" });
    const second = await client.responses.create({
      model: MODEL.responses,
      input: "Two",
      previous_response_id: first.id,
    });
    const third = await client.responses.create({
      model: MODEL.responses,
      input: "Three",
      previous_response_id: second.id,
    });
    const uuid = idOf;
    expect((await factsOf(uuid(first.id))).sessionId).toBeNull();
    const session = { sessionId: uuid(first.id), sessionSource: "conversation" };
    expect(await factsOf(uuid(second.id))).toMatchObject(session);
    expect(await factsOf(uuid(third.id))).toMatchObject(session);
  });
});

describe("a call over WebSocket", () => {
  it("has the facts of its connection", async () => {
    fixture.script("responses", "text");
    const { url, headers } = fixture.service;
    const socket = new WebSocket(`${url.replace("http", "ws")}/v1/responses`, { headers: { ...headers, ...HEADERS } });
    const id = await new Promise<string>((resolve, reject) => {
      socket.once("error", reject);
      socket.once("open", () =>
        socket.send(JSON.stringify({ type: "response.create", model: MODEL.responses, input: "Hello" })),
      );
      socket.on("message", (data) => {
        if (String(data).includes('"response.completed"')) resolve(idOf(String(data)));
      });
    });
    expect(await factsOf(id)).toEqual(FACTS);
    socket.close();
  });
});

const transports: readonly (readonly [string, () => Transport])[] = [
  ["Connect", () => createConnectTransport({ baseUrl: fixture.service.url, httpVersion: "1.1" })],
  ["gRPC", () => createGrpcTransport({ baseUrl: fixture.service.url })],
];

describe.each(transports)("a call over %s", (_name, createTransport) => {
  const client = () => createClient(InferenceService, createTransport());
  const auth = () => ({ authorization: `Bearer ${fixture.service.key}` });
  const messages = [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "Hello" } } }] }];
  const facts = { sessionId: "run-7", parentSessionId: "run-6", endUserId: "jane", tags: { team: "search" } };

  it("is recorded with the facts of its message", async () => {
    fixture.script("chat", "text");
    const { id } = await client().generate({ input: { model: MODEL.chat, messages, facts } }, { headers: auth() });
    expect(await factsOf(id)).toEqual({ ...facts, sessionSource: "session_id" });
  });

  it("is recorded with the facts of its metadata", async () => {
    fixture.script("chat", "text");
    const headers = { ...auth(), ...HEADERS };
    const { id } = await client().generate({ input: { model: MODEL.chat, messages } }, { headers });
    expect(await factsOf(id)).toEqual(FACTS);
  });

  it("is refused where the two contradict each other", async () => {
    const headers = { ...auth(), "attune-session": "run-8" };
    await expect(client().generate({ input: { model: MODEL.chat, messages, facts } }, { headers })).rejects.toThrow(
      "input.facts.session_id: differs from the header 'attune-session': send one",
    );
  });
});
