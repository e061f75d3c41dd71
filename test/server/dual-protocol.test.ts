import http from "node:http";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import net from "node:net";
import { type FastifyInstance, fastify } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDualProtocolServer } from "../../src/server/dual-protocol.ts";
import { FLAG, h2Frame, headerBlock, PREFACE, readFrames, settings, TYPE, word } from "../attack/http/h2-frames.ts";
import { waitFor } from "../support/wait.ts";

/** Limits that a test can wait for. */
const SHORT = { firstBytesMs: 60, headersMs: 60, requestMs: 120, idleMs: 120 };

let app: FastifyInstance;
let port: number;

beforeEach(async () => {
  app = fastify({ serverFactory: createDualProtocolServer() });
  app.get("/version", async (request) => request.raw.httpVersion);
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as AddressInfo).port;
});

afterEach(() => app.close());

function getHttp2(): Promise<string> {
  return new Promise((resolve, reject) => {
    const session = http2.connect(`http://127.0.0.1:${port}`);
    session.on("error", reject);
    const stream = session.request({ ":path": "/version" });
    let body = "";
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    stream.on("end", () => {
      session.close();
      resolve(body);
    });
  });
}

function exchange(parts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1", async () => {
      for (const part of parts) {
        socket.write(part, "latin1");
        await new Promise((next) => setTimeout(next, 20));
      }
    });
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}

describe("createDualProtocolServer()", () => {
  it("serves HTTP/1.1 and HTTP/2 on one port", async () => {
    const http1 = await fetch(`http://127.0.0.1:${port}/version`);
    expect(await http1.text()).toBe("1.1");
    expect(await getHttp2()).toBe("2.0");
  });

  it("serves an HTTP/1.1 request that comes in single bytes first", async () => {
    const request = "GET /version HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    const answer = await exchange([request.slice(0, 1), request.slice(1, 2), request.slice(2)]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  it("takes POST for HTTP/1.1, though it begins like HTTP/2's PRI", async () => {
    const answer = await exchange([
      "P",
      "OST /version HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 404/);
  });

  it("keeps connections alive between requests", async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const get = () =>
      new Promise<number | undefined>((resolve, reject) => {
        http
          .get({ port, host: "127.0.0.1", path: "/version", agent }, (response) => {
            const { localPort } = response.socket;
            response.resume().on("end", () => resolve(localPort));
          })
          .on("error", reject);
      });
    const first = await get();
    expect(await get()).toBe(first);
    agent.destroy();
  });

  it.each([
    ["a bare preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["half a preface", "PRI * HTTP/2.0\r\n"],
    ["nothing", ""],
    ["half a head", "GET /version HTTP/1.1\r\nhost: a\r\n"],
    ["half a body", "POST /version HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nhalf"],
  ])("cuts off a connection that sends %s", async (_what, text) => {
    const cut = fastify({ serverFactory: createDualProtocolServer(SHORT) });
    cut.post("/version", async (request) => request.body);
    cut.addContentTypeParser("*", { parseAs: "buffer" }, (_request, _body, done) => done(null));
    await cut.listen({ port: 0, host: "127.0.0.1" });
    const socket = net.connect((cut.server.address() as AddressInfo).port, "127.0.0.1", () => socket.write(text));
    socket.on("error", () => {}).resume();
    await new Promise((resolve) => socket.once("close", resolve));
    await cut.close();
  });

  it("closes an HTTP/2 session that has no request for long, and none that has one", async () => {
    // Long enough for the request of the one that has one to come.
    const cut = fastify({ serverFactory: createDualProtocolServer({ ...SHORT, firstBytesMs: 40_000, idleMs: 500 }) });
    const release = Promise.withResolvers<void>();
    cut.get("/slow", async () => release.promise.then(() => "done"));
    await cut.listen({ port: 0, host: "127.0.0.1" });
    const connect = () => http2.connect(`http://127.0.0.1:${(cut.server.address() as AddressInfo).port}`);
    const [idle, busy] = [connect(), connect()];
    const stream = busy.request({ ":path": "/slow" });
    let text = "";
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    const ended = new Promise((resolve) => stream.once("close", resolve));
    await new Promise((resolve) => idle.once("close", resolve));
    expect(busy.closed).toBe(false);
    release.resolve();
    await ended;
    expect(text).toBe("done");
    await new Promise((resolve) => busy.once("close", resolve));
    await cut.close();
  });

  it("lets go of an HTTP/2 session whose client leaves without having taken its answer", async () => {
    const left = Promise.withResolvers<void>();
    const served = fastify({ serverFactory: createDualProtocolServer() });
    served.get("/page", async (_request, reply) => {
      reply.raw.once("close", () => left.resolve());
      return "a page";
    });
    await served.listen({ port: 0, host: "127.0.0.1" });
    const socket = net.connect((served.server.address() as AddressInfo).port, "127.0.0.1");
    const head = headerBlock([
      [":method", "GET"],
      [":scheme", "http"],
      [":path", "/page"],
      [":authority", "a"],
    ]);
    // A window of nothing: not a byte of the answer may be sent.
    const request = h2Frame(TYPE.headers, FLAG.endHeaders | FLAG.endStream, 1, head);
    socket.write(Buffer.concat([PREFACE, settings([4, 0]), request]));
    const answered = (bytes: Buffer): boolean => [...readFrames(bytes)].some(({ type }) => type === TYPE.headers);
    let received = Buffer.alloc(0);
    await new Promise<void>((resolve) => {
      socket.on("data", (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        if (answered(received)) resolve();
      });
    });
    socket.end();
    await left.promise;
    await served.close();
  });

  it("ends the HTTP/2 session of a client that opens streams only to reset them, and of none that gives up all it has", async () => {
    const head = headerBlock([
      [":method", "GET"],
      [":scheme", "http"],
      [":path", "/version"],
      [":authority", "a"],
    ]);
    const resets = (from: number, count: number): Buffer =>
      Buffer.concat(
        Array.from({ length: count }, (_, index) => [
          h2Frame(TYPE.headers, FLAG.endHeaders | FLAG.endStream, from + index * 2, head),
          h2Frame(TYPE.reset, 0, from + index * 2, word(8)),
        ]).flat(),
      );
    const socket = net.connect(port, "127.0.0.1");
    let received = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
    });
    const got = (type: number): boolean => [...readFrames(received)].some((frame) => frame.type === type);
    socket.write(Buffer.concat([PREFACE, settings(), resets(1, 256), h2Frame(TYPE.ping, 0, 0, Buffer.alloc(8))]));
    await waitFor(() => expect(got(TYPE.ping)).toBe(true));
    expect(got(TYPE.goAway)).toBe(false);
    socket.write(resets(513, 600));
    await new Promise((resolve) => socket.once("close", resolve));
    expect(got(TYPE.goAway)).toBe(true);
  });

  it.each([
    ["was used", 50],
    ["has just been opened", 0],
  ])("closes although an HTTP/2 session %s", async (_name, waitMs) => {
    const session = http2.connect(`http://127.0.0.1:${port}`);
    session.on("error", () => {});
    await new Promise((resolve) => session.once("connect", resolve));
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const closed = new Promise((resolve) => session.once("close", resolve));
    await app.close();
    await closed;
  });
});
