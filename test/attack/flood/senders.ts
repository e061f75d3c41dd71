import { connect as connectH2, constants } from "node:http2";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { TimeSlicer } from "./pace.ts";

/** Bytes of each body, and how many come at once. */
const BODY_BYTES = 30_000_000;
const SENDERS = 60;
const CHUNK = Buffer.alloc(64 * 1024, 0x20);

/** What senders met with. */
export interface Sent {
  /** How many were cut off or refused, and how many were let send all. */
  readonly refused: number;
  readonly whole: number;
  readonly bytes: number;
}

/**
 * Sends 60 bodies of 30 MB at once over connections of HTTP/1.1, whatever is answered meanwhile, until each is cut off.
 */
export async function sendOverHttp1(port: number, pace: TimeSlicer): Promise<Sent> {
  const outcomes = await Promise.all(Array.from({ length: SENDERS }, () => sendOne(port, pace)));
  return sum(outcomes);
}

async function sendOne(port: number, pace: TimeSlicer): Promise<number> {
  const socket = open(port);
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${BODY_BYTES}\r\n\r\n`,
  );
  let sent = 0;
  while (sent < BODY_BYTES && !socket.destroyed && socket.writable) {
    await pace.take(CHUNK.length);
    const taken = socket.write(CHUNK);
    sent += CHUNK.length;
    if (!taken && !socket.destroyed)
      await Promise.race([event(socket, "drain"), event(socket, "close"), sleep(2000, undefined, { ref: false })]);
  }
  socket.destroy();
  return sent;
}

/**
 * Sends 60 bodies of 30 MB at once over the streams of one connection of HTTP/2, within the windows that it is given.
 */
export async function sendOverHttp2(url: string, pace: TimeSlicer): Promise<Sent> {
  const session = connectH2(url);
  session.on("error", () => {});
  const streams = Array.from({ length: SENDERS }, async () => {
    const headers = { ":method": "POST", ":path": "/v1/chat/completions", "content-type": "application/json" };
    const stream = session.request({ ...headers, "content-length": String(BODY_BYTES) });
    stream.on("error", () => {});
    stream.resume();
    let sent = 0;
    while (sent < BODY_BYTES && !stream.destroyed && stream.writable) {
      await pace.take(CHUNK.length);
      if (stream.destroyed || !stream.writable) break;
      const taken = stream.write(CHUNK);
      sent += CHUNK.length;
      if (!taken)
        await Promise.race([event(stream, "drain"), event(stream, "close"), sleep(2000, undefined, { ref: false })]);
    }
    stream.close(constants.NGHTTP2_CANCEL);
    return sent;
  });
  const outcomes = await Promise.all(streams);
  session.destroy();
  return sum(outcomes);
}

function sum(outcomes: readonly number[]): Sent {
  const whole = outcomes.filter((sent) => sent >= BODY_BYTES).length;
  return { whole, refused: outcomes.length - whole, bytes: outcomes.reduce((total, sent) => total + sent, 0) };
}

function open(port: number): Socket {
  return connect(port, "127.0.0.1")
    .on("error", () => {})
    .resume();
}

function event(emitter: NodeJS.EventEmitter, name: string): Promise<void> {
  return new Promise((resolve) => emitter.once(name, () => resolve()));
}
