import { connect } from "node:net";
import { FLAG, h2Frame, headerBlock, PREFACE, settings, TYPE } from "../http/h2-frames.ts";

/** Connections that say nothing, or not enough, and wait. */
interface Loiterer {
  readonly name: string;
  readonly says: Buffer;
  /** By when the service has to end them, with some room for a machine that does much else. */
  readonly limitMs: number;
}

/** How many of each kind come at once. */
const COUNT = 10;
const HALF_BODIES = 60;
/** What kept connections of HTTP/1.1 are given as well: 72 s. */
const IDLE_MS = 85_000;

const post = "POST /v1/messages HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 30000000\r\n";

const LOITERERS: readonly Loiterer[] = [
  { name: "a connection that says nothing", says: Buffer.alloc(0), limitMs: 20_000 },
  { name: "a part of a preface", says: PREFACE.subarray(0, 10), limitMs: 20_000 },
  { name: "a bare preface", says: PREFACE, limitMs: 20_000 },
  { name: "a part of a head", says: Buffer.from(post), limitMs: 35_000 },
  { name: "half a body over HTTP/1.1", says: Buffer.from(`${post}\r\n{`), limitMs: 20_000 },
  { name: "a kept connection", says: Buffer.from("GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n"), limitMs: IDLE_MS },
  { name: "an idle session of HTTP/2", says: Buffer.concat([PREFACE, settings()]), limitMs: IDLE_MS },
  { name: `${HALF_BODIES} half bodies over HTTP/2`, says: halfBodies(), limitMs: IDLE_MS },
];

function halfBodies(): Buffer {
  const head = headerBlock([
    [":method", "POST"],
    [":scheme", "http"],
    [":path", "/v1/messages"],
    [":authority", "a"],
    ["content-length", "30000000"],
  ]);
  const streams = Array.from({ length: HALF_BODIES }, (_, index) => [
    h2Frame(TYPE.headers, FLAG.endHeaders, index * 2 + 1, head),
    h2Frame(TYPE.data, 0, index * 2 + 1, Buffer.alloc(100, 0x20)),
  ]);
  return Buffer.concat([PREFACE, settings(), ...streams.flat()]);
}

/** After how long the service had ended the last connection of a kind; undefined if it did not in time. */
export interface Loitered {
  readonly name: string;
  readonly limitMs: number;
  readonly endedMs: number | undefined;
}

/** Opens connections of each kind, without a key, and waits for the service to end them. */
export async function loiter(port: number): Promise<readonly Loitered[]> {
  return await Promise.all(
    LOITERERS.map(async ({ name, says, limitMs }) => {
      const times = await Promise.all(Array.from({ length: COUNT }, () => stay(port, says, limitMs)));
      const last = Math.max(...times);
      return { name, limitMs, endedMs: last > limitMs ? undefined : last };
    }),
  );
}

function stay(port: number, says: Buffer, limitMs: number): Promise<number> {
  const begin = performance.now();
  const socket = connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(Number.POSITIVE_INFINITY), limitMs);
    const finish = (afterMs: number): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(afterMs);
    };
    socket.on("error", () => {}).resume();
    socket.once("end", () => finish(performance.now() - begin));
    socket.once("close", () => finish(performance.now() - begin));
    if (says.length > 0) socket.write(says);
  });
}
