import { EventEmitter, once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import http2 from "node:http2";
import net, { type AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type FastifyInstance, fastify } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDualProtocolServer } from "../../src/server/dual-protocol.ts";
import { scheduleRequests } from "../../src/server/request-scheduler.ts";
import { FLAG, h2Frame, headerBlock, PREFACE, settings, TYPE, word } from "../attack/http/h2-frames.ts";

const AT_ONCE = 32;

describe("scheduleRequests()", () => {
  it("begins what comes alone in the turn in which it comes", () => {
    const { take, begun } = setUp();
    take(...exchange("a"));
    expect(begun).toEqual(["a"]);
  });

  it("begins many over several turns, in their order, and later ones behind them", async () => {
    const { take, begun } = setUp();
    const names = Array.from({ length: 100 }, (_, index) => `${index}`);
    for (const name of names) take(...exchange(name));
    expect(begun).toHaveLength(AT_ONCE);
    await nextTurn();
    expect(begun).toHaveLength(2 * AT_ONCE);
    take(...exchange("later"));
    await nextTurn();
    await nextTurn();
    expect(begun).toEqual([...names, "later"]);
  });

  it("begins nothing that was given up while it waited, and lets none wait for that", async () => {
    const { take, begun } = setUp();
    const all = Array.from({ length: 1000 }, (_, index) => exchange(`${index}`));
    for (const pair of all) take(...pair);
    for (const [request] of all.slice(0, -1)) request.destroyed = true;
    await nextTurn();
    expect(begun.slice(AT_ONCE)).toEqual(["999"]);
  });

  it("forgets the many when they are through: the next ones begin at once", async () => {
    const { take, begun } = setUp();
    for (let index = 0; index < 40; index += 1) take(...exchange("early"));
    await nextTurn();
    await nextTurn();
    take(...exchange("alone"));
    expect(begun).toHaveLength(41);
  });

  function setUp() {
    const begun: string[] = [];
    const take = scheduleRequests((request) => begun.push(request.url ?? ""));
    return { take, begun };
  }

  function exchange(url: string): [IncomingMessage, ServerResponse] {
    return [{ url, destroyed: false } as IncomingMessage, new EventEmitter() as ServerResponse];
  }
});

describe("a server whose requests are spread", () => {
  let app: FastifyInstance;
  let asked: string[];

  beforeEach(async () => {
    asked = [];
    app = fastify({ serverFactory: createDualProtocolServer() });
    app.get("/:name", async ({ url }) => {
      asked.push(url);
      return url;
    });
    await app.listen({ port: 0, host: "127.0.0.1" });
  });

  afterEach(() => app.close());

  const port = (): number => (app.server.address() as AddressInfo).port;

  it("answers 300 pipelined requests of HTTP/1.1 in their order", async () => {
    const paths = Array.from({ length: 300 }, (_, index) => `/p${index}`);
    const socket = net.connect(port(), "127.0.0.1");
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`).join(""));
    socket.write("GET /last HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    let text = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      text += chunk;
    });
    await once(socket, "close");
    expect(text.match(/\r\n\r\n\/\w+/g)?.map((end) => end.slice(4).replace("HTTP", ""))).toEqual([...paths, "/last"]);
  });

  it("answers 200 requests of one HTTP/2 session that come at once", async () => {
    const session = http2.connect(`http://127.0.0.1:${port()}`);
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const stream = session.request({ ":path": `/p${index}` }).setEncoding("utf8");
        let body = "";
        for await (const chunk of stream) body += chunk;
        return body;
      }),
    );
    session.close();
    expect(answers).toEqual(Array.from({ length: 200 }, (_, index) => `/p${index}`));
  });

  it("asks nothing for streams of HTTP/2 that are reset as soon as they are opened, beyond the first", async () => {
    const head = headerBlock([
      [":method", "GET"],
      [":scheme", "http"],
      [":path", "/reset"],
      [":authority", "a"],
    ]);
    const resets = Array.from({ length: 200 }, (_, index) => [
      h2Frame(TYPE.headers, FLAG.endHeaders | FLAG.endStream, index * 2 + 1, head),
      h2Frame(TYPE.reset, 0, index * 2 + 1, word(8)),
    ]).flat();
    const socket = net.connect(port(), "127.0.0.1");
    const pong = Buffer.alloc(8, 7);
    socket.write(Buffer.concat([PREFACE, settings(), ...resets, h2Frame(TYPE.ping, 0, 0, pong)]));
    for await (const chunk of socket) if ((chunk as Buffer).includes(pong)) break;
    await nextTurn();
    expect(asked.length).toBeLessThanOrEqual(AT_ONCE);
  });
});
