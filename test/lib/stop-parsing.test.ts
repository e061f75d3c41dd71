import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stopParsing } from "../../src/lib/stop-parsing.ts";

describe("stopParsing()", () => {
  let server: Server;

  beforeEach(async () => {
    server = createServer();
    await once(server.listen(0, "127.0.0.1"), "listening");
  });

  afterEach(() => void server.close());

  const open = () => connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {});

  it("makes no more requests of a read", async () => {
    let requests = 0;
    server.on("request", ({ socket }) => {
      requests += 1;
      if (requests < 3) return;
      stopParsing(socket);
      socket.destroy();
    });
    const client = open().resume();
    client.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n".repeat(500));
    await once(client, "close");
    expect(requests).toBe(3);
  });

  it("makes no more pieces of a body, and lets an answer out", async () => {
    let pieces = 0;
    server.on("request", (request, response) => {
      request.on("data", () => {
        pieces += 1;
        if (pieces < 3) return;
        stopParsing(request.socket);
        response.writeHead(400, { connection: "close" }).end("too small");
      });
    });
    const client = open();
    client.write(`POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n${"1\r\n \r\n".repeat(5000)}`);
    expect(await text(client)).toContain("too small");
    expect(pieces).toBe(3);
  });

  it("leaves the parser as it was to the connections after it", async () => {
    server.once("request", ({ socket }) => {
      stopParsing(socket);
      socket.destroy();
    });
    const first = open().resume();
    first.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    await once(first, "close");
    server.on("request", async (request, response) => response.end(`got ${await text(request)}`));
    const second = open();
    second.write("POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 5\r\n\r\nhello");
    expect(await text(second)).toContain("got hello");
  });
});
