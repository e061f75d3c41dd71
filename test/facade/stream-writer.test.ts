import { once } from "node:events";
import { createServer, get, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text as readText } from "node:stream/consumers";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { StreamWriter } from "../../src/facade/stream-writer.ts";

let server: Server;
let answer: (writer: StreamWriter, raw: ServerResponse) => void;
const port = (): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  server = createServer({ keepAliveTimeout: 60_000 }, (_request, raw) => {
    // The date would differ from run to run.
    raw.sendDate = false;
    answer(new StreamWriter(raw), raw);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

/** What comes back for requests that are written by hand, until the server ends the connection. */
async function exchange(requests: string): Promise<string> {
  const socket = connect(port(), "127.0.0.1");
  socket.write(requests);
  return readText(socket);
}

const lastRequest = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

function writeThree(writer: StreamWriter): void {
  writer.open({ "content-type": "text/plain" });
  writer.write("one");
  // One character takes four bytes, one three, the others ten: 17, which is 11 in hexadecimal digits.
  writer.write("\u{1f600}, fourteen€");
  writer.end();
}

it("writes chunks as RFC 9112 has them, lengths in bytes and in hexadecimal digits", async () => {
  answer = writeThree;
  expect(await exchange(lastRequest)).toBe(
    "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n" +
      "3\r\none\r\n11\r\n\u{1f600}, fourteen€\r\n0\r\n\r\n",
  );
});

it("writes to a client of HTTP/1.0 without chunks", async () => {
  answer = writeThree;
  expect(await exchange("GET / HTTP/1.0\r\n\r\n")).toBe(
    "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nConnection: close\r\n\r\none\u{1f600}, fourteen€",
  );
});

it("keeps the connection for the next request", async () => {
  answer = writeThree;
  const both = await exchange(`GET / HTTP/1.1\r\nHost: a\r\n\r\n${lastRequest}`);
  expect(both.match(/one\r\n11\r\n.*\r\n0\r\n\r\n/g)).toHaveLength(2);
});

it("ends an answer that has headers alone", async () => {
  answer = (writer, raw) => {
    writer.open({});
    raw.flushHeaders();
    writer.end();
  };
  expect(await exchange(lastRequest)).toMatch(/Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n$/);
});

it("lets texts of all kinds arrive as they were", async () => {
  const long = fc.tuple(fc.string({ unit: "binary", minLength: 1 }), fc.nat(20_000)).map(([a, n]) => a.repeat(n + 1));
  const halves = fc.constantFrom("\ud83d", "\ude00", "a\ud83d", "\r\n", "0\r\n\r\n");
  const texts = fc.array(fc.oneof(fc.string({ unit: "binary", minLength: 1 }), long, halves), { maxLength: 8 });
  const property = fc.asyncProperty(texts, async (written) => {
    answer = (writer) => {
      writer.open({});
      for (const text of written) writer.write(text);
      writer.end();
    };
    const [response] = await once(get({ port: port(), host: "127.0.0.1" }), "response");
    // A half of a pair of surrogates has no bytes of its own in UTF-8.
    expect(await readText(response)).toBe(written.map((text) => text.toWellFormed()).join(""));
  });
  await fc.assert(property, { numRuns: 30 });
});

it("says when the client takes nothing, and resolves when it has taken all or has gone", async () => {
  const big = "x".repeat(4_000_000);
  for (const goes of [false, true]) {
    const isWaiting = new Promise<StreamWriter>((resolve) => {
      answer = (writer) => {
        writer.open({});
        expect(writer.write(big)).toBe(false);
        expect(writer.isFull).toBe(true);
        resolve(writer);
      };
    });
    const socket = connect(port(), "127.0.0.1").pause();
    socket.write(lastRequest);
    const writer = await isWaiting;
    const taken = writer.untilTaken();
    if (goes) socket.destroy();
    else socket.resume();
    await taken;
    expect(writer.isFull).toBe(false);
    if (!goes) writer.end();
    await writer.untilTaken();
  }
});

it("does nothing more for a client that has gone", async () => {
  const closed = new Promise<void>((resolve, reject) => {
    answer = (writer, raw) => {
      raw.on("error", reject);
      writer.open({});
      raw.on("close", () => {
        writer.write("late");
        writer.end();
        setImmediate(resolve);
      });
      writer.write("early");
    };
  });
  const socket = connect(port(), "127.0.0.1");
  socket.write(lastRequest);
  socket.on("data", () => socket.destroy());
  await closed;
});
