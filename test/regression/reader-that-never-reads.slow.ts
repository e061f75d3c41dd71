import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Inference } from "../../src/store/entities/inference.ts";
import { bodyOf, FORMATS, PATH } from "../support/sdk-calls.ts";
import { MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { FRAMES, UPSTREAM_HEADERS } from "../support/upstream-frames.ts";
import { waitFor } from "../support/wait.ts";

/** A client that never reads kept its answer, its upstream and its place among what is under way for ever. */
let fixture: SdkFixture;

/** More than what the system's own buffers take, on both sides of the service. */
const COUNT = 1024;
const PIECE = "0123456789abcdef".repeat(1024);

beforeAll(async () => {
  fixture = await startSdkFixture({
    change: (yaml) =>
      `server: { clientIdleMs: 250 }\n${yaml}`
        .replaceAll('secret" }', 'secret", limits: { answerBytes: 1000000000 } }')
        .replaceAll(/200000|64000/g, "1000000"),
  });
});

afterAll(() => fixture.close());

interface Call {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

function jsonCall(format: (typeof FORMATS)[number], stream: boolean): Call {
  const room = format === "messages" ? { max_tokens: 500_000 } : {};
  const body = Buffer.from(JSON.stringify({ ...bodyOf(format, MODEL.chat), ...room, stream }));
  return { path: PATH[format], headers: fixture.service.headers, body };
}

function rpcCall(method: "StreamGenerate" | "Generate", contentType: string): Call {
  const messages = [{ role: "ROLE_USER", content: [{ text: { text: "Hello" } }] }];
  const message = Buffer.from(JSON.stringify({ input: { model: MODEL.chat, messages } }));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return {
    path: `/attune.inference.v1.InferenceService/${method}`,
    headers: { ...fixture.service.headers, "content-type": contentType, te: "trailers" },
    body: contentType === "application/json" ? message : Buffer.concat([head, message]),
  };
}

/** Sends a request over HTTP/1.1, and reads nothing of the answer. */
function callHttp1({ path, headers, body }: Call): { close(): void } {
  const { hostname, port } = new URL(fixture.service.url);
  const socket: Socket = connect({ host: hostname, port: Number(port) }).pause();
  socket.on("error", () => {});
  const { te: _te, ...sent } = headers;
  const lines = Object.entries({ host: hostname, ...sent, "content-length": String(body.length) });
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
  socket.write(body);
  return { close: () => socket.destroy() };
}

/** The same over HTTP/2, where the stream has no room left then. */
function callHttp2({ path, headers, body }: Call): { close(): void } {
  const session = connectHttp2(fixture.service.url);
  session.on("error", () => {});
  const stream = session.request({ ":path": path, ":method": "POST", ...headers });
  stream.on("error", () => {}).pause();
  stream.end(body);
  return { close: () => session.destroy() };
}

const SENDERS = { "HTTP/1.1": callHttp1, "HTTP/2": callHttp2 } as const;

async function rows() {
  await fixture.service.flush();
  return fixture.service.store.fork().find(Inference, {}, { orderBy: { id: "desc" } });
}

async function inFlight(): Promise<string | undefined> {
  const text = await (await fetch(`${fixture.service.adminUrl}/metrics`)).text();
  return /^attune_inferences_in_flight (\d+)$/m.exec(text)?.[1];
}

function scriptLongAnswer(): void {
  const [head = "", delta = "", , ...end] = FRAMES.chat.text;
  const chunk = delta.replace("Grüße 🌍", PIECE);
  fixture.upstream.answer({
    headers: UPSTREAM_HEADERS,
    steps: [head, ...Array.from({ length: COUNT }, () => chunk), ...end],
  });
}

const STREAMS: readonly (readonly [string, () => Call])[] = [
  ...FORMATS.map((format) => [format, () => jsonCall(format, true)] as const),
  ["Connect", () => rpcCall("StreamGenerate", "application/connect+json")],
  ["gRPC-Web", () => rpcCall("StreamGenerate", "application/grpc-web+json")],
  ["gRPC", () => rpcCall("StreamGenerate", "application/grpc+json")],
];

describe.each(["HTTP/1.1", "HTTP/2"] as const)("a client over %s that never reads", (protocol) => {
  it.each(STREAMS.filter(([name]) => protocol === "HTTP/2" || name !== "gRPC"))(
    "is cut off, its upstream too, and recorded: a stream of %s",
    async (_name, makeCall) => {
      scriptLongAnswer();
      const before = (await rows()).length;
      const call = SENDERS[protocol](makeCall());
      try {
        await waitFor(async () => expect(await rows()).toHaveLength(before + 1));
        expect((await rows())[0]?.status).toBe("canceled");
        await fixture.upstream.received.at(-1)?.aborted;
        expect(await inFlight()).toBe("0");
      } finally {
        call.close();
      }
    },
  );
});

/** The answers that the service begins meanwhile. */
function watchResponses(path: string) {
  const responses: ServerResponse[] = [];
  const note = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    // The upstream, which has the same path, is called without the client's key.
    if (request.url === path && request.headers.authorization === fixture.service.headers["authorization"]) {
      responses.push(response);
    }
  };
  subscribe("http.server.request.start", note);
  return { responses, end: () => unsubscribe("http.server.request.start", note) };
}

it.each([
  ["Chat", () => jsonCall("chat", false)],
  ["Connect", () => rpcCall("Generate", "application/json")],
])("cuts off a client that never reads a whole answer: %s", async (_name, makeCall) => {
  scriptLongAnswer();
  const asked = makeCall();
  const watch = watchResponses(asked.path);
  const call = callHttp1(asked);
  try {
    await waitFor(() => expect(watch.responses[0]?.destroyed).toBe(true));
    expect(watch.responses[0]?.writableFinished).toBe(false);
  } finally {
    watch.end();
    call.close();
  }
});
