import { createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { Role } from "../../gen/attune/content/v1/content_pb.ts";
import { InferenceService } from "../../gen/attune/inference/v1/inference_pb.ts";
import { readWhenWritten } from "../support/read-when-written.ts";
import { bodyOf, FORMATS, PATH } from "../support/sdk-calls.ts";
import { MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { waitUntil } from "../support/wait.ts";

/** One decision a session, over every transport. */
let fixture: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture({ change: (yaml) => `learning: { mode: on }\n${yaml}` });
  // What is known of a workload is read while its first requests are served.
  for (const format of FORMATS) {
    await waitUntil(async () => (await keptOf(await ask(format, false, {}))) === "free");
  }
});
afterAll(() => fixture.close());

const idOf = (text: string): string => /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/.exec(text)?.[0] ?? "";

/** Returns why the decision on a call was not free. */
async function keptOf(id: string): Promise<string> {
  const { decision } = (await readWhenWritten(fixture.service.store, id)).row;
  const record = typeof decision === "string" ? JSON.parse(decision) : decision;
  return record === null || record === undefined ? "no decision" : (record.kept ?? "free");
}

async function ask(format: (typeof FORMATS)[number], stream: boolean, headers: Record<string, string>) {
  fixture.script(format, "text");
  const { url, headers: auth } = fixture.service;
  const body = JSON.stringify({ ...bodyOf(format, MODEL[format]), stream });
  const answer = await fetch(`${url}${PATH[format]}`, { method: "POST", headers: { ...auth, ...headers }, body });
  expect(answer.status).toBe(200);
  return idOf(await answer.text());
}

describe.each(FORMATS)("a session in the format %s", (format) => {
  it.each([false, true])("is decided once (stream: %s)", async (stream) => {
    const headers = { "attune-session": `run-${format}-${stream}` };
    const ids = [await ask(format, stream, headers), await ask(format, stream, headers)];
    expect(await Promise.all(ids.map(keptOf))).toEqual(["free", "session"]);
    expect(await keptOf(await ask(format, stream, {}))).toBe("free");
  });
});

describe.each([
  ["Connect", () => createConnectTransport({ baseUrl: fixture.service.url, httpVersion: "1.1" })],
  ["gRPC", () => createGrpcTransport({ baseUrl: fixture.service.url })],
  ["gRPC-Web", () => createGrpcWebTransport({ baseUrl: fixture.service.url, httpVersion: "1.1" })],
])("a session over %s", (name, createTransport) => {
  it("is decided once", async () => {
    const client = createClient(InferenceService, createTransport());
    const messages = [{ role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "Hello" } } }] }];
    const input = { model: MODEL.chat, messages, facts: { sessionId: `run-${name}` } };
    const call = async () => {
      fixture.script("chat", "text");
      const { id } = await client.generate({ input }, { headers: { authorization: `Bearer ${fixture.service.key}` } });
      return id;
    };
    expect([await keptOf(await call()), await keptOf(await call())]).toEqual(["free", "session"]);
  });
});

describe("a session over WebSocket", () => {
  it("is decided once", async () => {
    const { url, headers } = fixture.service;
    const socket = new WebSocket(`${url.replace("http", "ws")}/v1/responses`, {
      headers: { ...headers, "attune-session": "run-socket" },
    });
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    const call = () => {
      fixture.script("responses", "text");
      return new Promise<string>((resolve) => {
        socket.on("message", (data) => {
          if (String(data).includes('"response.completed"')) resolve(idOf(String(data)));
        });
        socket.send(JSON.stringify({ type: "response.create", model: MODEL.responses, input: "Hello" }));
      });
    };
    expect([await keptOf(await call()), await keptOf(await call())]).toEqual(["free", "session"]);
    socket.close();
  });
});
