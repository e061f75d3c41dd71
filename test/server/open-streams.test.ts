import { once } from "node:events";
import http2, { type ClientHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { drainBody } from "../../src/server/drain-body.ts";
import { createDualProtocolServer } from "../../src/server/dual-protocol.ts";
import { limitWriteTime } from "../../src/server/write-timeout.ts";

let end: () => Promise<void>;
let session: http2.ClientHttp2Session;

beforeEach(async () => {
  const app = fastify({ serverFactory: createDualProtocolServer() });
  drainBody(app);
  limitWriteTime(app, { idleMs: 100_000, lingerMs: 200 });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  app.post("/plain", (request, reply) => {
    request.raw.resume();
    void reply.code(429).send("x".repeat(200_000));
  });
  app.post("/trailers", (request, reply) => {
    request.raw.resume();
    reply.hijack();
    reply.raw.writeHead(200, { trailer: "grpc-status" });
    reply.raw.write("x".repeat(200_000));
    reply.raw.addTrailers({ "grpc-status": "8" });
    reply.raw.end();
  });
  app.post("/empty", (request, reply) => {
    request.raw.resume();
    reply.hijack();
    reply.raw.writeHead(200, { "content-type": "application/grpc" });
    reply.raw.addTrailers({ "grpc-status": "8" });
    reply.raw.end();
  });
  app.post("/unread", { onRequest: async (_request, reply) => reply.code(401).send("no") }, async () => "");
  await app.listen({ port: 0, host: "127.0.0.1" });
  session = http2.connect(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
  end = async () => {
    session.destroy();
    await app.close();
  };
});

afterEach(() => end());

function post(path: string): ClientHttp2Stream {
  const stream = session.request({ ":path": path, ":method": "POST", "content-type": "text/plain" });
  stream.write("half of it");
  return stream;
}

describe("a stream of HTTP/2 whose request is not whole", () => {
  it.each([
    ["/plain", 429, 200_000, undefined],
    ["/trailers", 200, 200_000, "8"],
    ["/empty", 200, 0, "8"],
    ["/unread", 401, 2, undefined],
  ])("is ended once the answer of %s was taken", async (path, status, bytes, trailer) => {
    const stream = post(path);
    const closed = once(stream, "close");
    let received = 0;
    let trailers: http2.IncomingHttpHeaders | undefined;
    stream.on("trailers", (given) => {
      trailers = given;
    });
    const [headers] = await once(stream, "response");
    stream.on("data", (chunk: Buffer) => {
      received += chunk.length;
    });
    await closed;
    expect(headers[":status"]).toBe(status);
    expect([received, trailers?.["grpc-status"], stream.rstCode]).toEqual([bytes, trailer, 0]);
  });

  it("stays while the answer waits for its client", async () => {
    const [read, unread] = [post("/plain"), post("/plain")];
    await once(unread, "response");
    read.resume();
    await once(read, "close");
    expect(unread.closed).toBe(false);
    unread.resume();
    await once(unread, "close");
    expect(unread.rstCode).toBe(0);
  });
});
