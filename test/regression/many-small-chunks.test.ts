import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHttpClient } from "../../src/upstream/http.ts";
import { RequestBody } from "../../src/upstream/request-body.ts";

/**
 * An upstream's answer in tiny chunks was paused in the midst of what a read had brought: each such pause put the rest
 * back and read more, until the whole answer lay before the parser, which copied it anew for each pause.
 */
const CHUNKS = 500_000;
const TINY = Buffer.from("1\r\nz\r\n".repeat(CHUNKS));
/** Several reads of a socket, and far less than the answer. */
const MAX_WAITING = 512 * 1024;

const timeouts = { connectMs: 40_000, firstByteMs: 40_000, idleMs: 40_000, totalMs: 40_000 };
let sockets: Socket[];
const note = (message: unknown): void => void sockets.push((message as { readonly socket: Socket }).socket);

beforeEach(() => {
  sockets = [];
  subscribe("undici:client:connected", note);
});

afterEach(() => unsubscribe("undici:client:connected", note));

describe("an answer of many small chunks", () => {
  it("waits with the upstream while its reader lags", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
        socket.write(TINY);
        socket.end("0\r\n\r\n");
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const client = createHttpClient(timeouts);
    const answer = await client.post({
      url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
      headers: {},
      body: new RequestBody(Buffer.from("{}")),
      signal: new AbortController().signal,
    });
    let length = 0;
    let waiting = 0;
    for (let chunks = await answer.read(); chunks !== undefined; chunks = await answer.read()) {
      for (const chunk of chunks) length += chunk.length;
      for (let turn = 0; turn < 10; turn++) await nextTurn();
      waiting = Math.max(waiting, ...sockets.map(({ readableLength }) => readableLength));
    }
    expect(length).toBe(CHUNKS);
    expect(waiting).toBeLessThan(MAX_WAITING);
    await client.close();
    server.close();
  });
});
