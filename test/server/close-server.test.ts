import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { type FastifyInstance, fastify } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { closeServer, leaveConnections } from "../../src/server/close-server.ts";
import { createDualProtocolServer } from "../../src/server/dual-protocol.ts";

const LIMIT_MS = 30_000;

describe("leaveConnections()", () => {
  let app: FastifyInstance;
  let port: number;

  beforeEach(async () => {
    app = fastify({ serverFactory: createDualProtocolServer() });
    app.get("/", async () => "here");
    await app.listen({ port: 0 });
    port = (app.server.address() as AddressInfo).port;
  });

  afterEach(() => closeServer(app, { limitMs: 0, breakOff() {} }));

  /** A connection on which requests are sent one after another. */
  async function open(): Promise<{ readonly socket: Socket; ask(): Promise<string> }> {
    const socket = connect(port, "127.0.0.1").setEncoding("utf8");
    await once(socket, "connect");
    return {
      socket,
      async ask() {
        socket.write("GET / HTTP/1.1\r\nhost: here\r\n\r\n");
        let text = "";
        while (!text.endsWith("here")) text += (await once(socket, "data"))[0];
        return text.toLowerCase();
      },
    };
  }

  it("answers once more on a connection that waits between two requests, and ends it with that answer", async () => {
    const client = await open();
    expect(await client.ask()).toContain("connection: keep-alive");
    const left = leaveConnections(app.server, LIMIT_MS);
    const ended = once(client.socket, "close");
    expect(await client.ask()).toContain("connection: close");
    await Promise.all([ended, left]);
  });

  it("takes no new connection", async () => {
    const client = await open();
    await client.ask();
    const left = leaveConnections(app.server, LIMIT_MS);
    const [error] = await once(connect(port, "127.0.0.1"), "error");
    expect(error).toMatchObject({ code: "ECONNREFUSED" });
    client.socket.destroy();
    await left;
  });

  it("waits for connections on which nothing is asked for so long and no longer, and lets the server close", async () => {
    const client = await open();
    await client.ask();
    const ended = once(client.socket, "close");
    await leaveConnections(app.server, 20);
    expect(client.socket.closed).toBe(false);
    await closeServer(app, { limitMs: LIMIT_MS, breakOff() {} });
    await ended;
  });
});
