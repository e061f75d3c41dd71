import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limitPieces } from "../../src/server/limit-pieces.ts";

const HEAD = "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n";
const TINY = "1\r\nx\r\n";

describe("limitPieces()", () => {
  let server: Server;
  let client: Socket;

  beforeEach(() => {
    server = createServer();
  });

  afterEach(() => {
    client.destroy();
    server.close();
  });

  async function send(body: string, take: (request: IncomingMessage, response: ServerResponse) => void) {
    server.on("request", limitPieces(take));
    await once(server.listen(0, "127.0.0.1"), "listening");
    client = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {});
    client.write(HEAD + body);
  }

  it("keeps 257 pieces of a body that nobody reads, of those that one read brings", async () => {
    let made: IncomingMessage | undefined;
    await send(TINY.repeat(10_000), (request) => {
      made = request;
    });
    await expect.poll(() => made?.readableLength).toBe(257);
  });

  it("lets its reader refuse it", async () => {
    await send(TINY.repeat(10_000), (request, response) => {
      let pieces = 0;
      request.on("data", () => {
        pieces += 1;
        if (pieces === 257) response.writeHead(400, { connection: "close" }).end("send larger ones");
      });
    });
    expect(await text(client)).toContain("send larger ones");
  });

  it("takes small pieces among large ones", async () => {
    const body = `${TINY.repeat(200)}ffff\r\n${"y".repeat(65_535)}\r\n${TINY.repeat(200)}0\r\n\r\n`;
    await send(body, async (request, response) => {
      const { length } = await text(request);
      response.writeHead(200, { connection: "close" }).end(`got ${length}`);
    });
    expect(await text(client)).toContain("got 65935");
  });
});
