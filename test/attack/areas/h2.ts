import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Area, Input, Target } from "../area.ts";
import { METRICS_TOKEN } from "../configuration.ts";
import { FLAG, h2Frame, headerBlock, PREFACE, readFrames, settings, TYPE, word } from "../http/h2-frames.ts";
import { damage } from "../inputs/mutate.ts";
import { type Problem, problem } from "../judge.ts";
import type { Random } from "../random.ts";

/** Frames of HTTP/2 by hand: floods, games with windows and streams, and frames that stand where they must not. */
export const h2Area: Area = {
  name: "h2",
  share: 3,
  // Each may be a flood of thousands of frames, which the loop reads in one turn: many at once would add up to a stall.
  lanes: 3,
  limitMs: 15_000,
  open: (target) => ({
    make: (random) => toInput(makeAttack(random, target), target),
    close() {},
  }),
};

/** What is sent on one connection, behind preface and settings. */
interface Attack {
  readonly name: string;
  readonly frames: readonly Buffer[];
  /** How long it is listened afterwards, unless the service ends the connection. */
  readonly holdMs: number;
  /** Whether what comes back is read at all. */
  readonly reads: boolean;
}

function toInput({ name, frames, holdMs, reads }: Attack, { service }: Target): Input {
  return {
    what: () => `${name}: ${frames.length} frames, ${frames.reduce((sum, { length }) => sum + length, 0)} bytes`,
    async send() {
      const socket = connect(service.port, "127.0.0.1");
      const received: Buffer[] = [];
      const ended = new Promise<void>((resolve) => {
        if (reads) socket.on("data", (chunk: Buffer) => received.push(chunk));
        else socket.pause();
        socket.on("error", () => {});
        socket.on("end", resolve);
        socket.on("close", () => resolve());
      });
      try {
        await write(socket, frames, ended);
        await Promise.race([ended, sleep(holdMs)]);
        return judge(Buffer.concat(received));
      } finally {
        socket.destroy();
      }
    },
  };
}

/** Writes as fast as it is taken, for a bounded time. */
async function write(socket: Socket, frames: readonly Buffer[], ended: Promise<void>): Promise<void> {
  for (let at = 0; at < frames.length && !socket.destroyed; at += 256) {
    const taken = socket.write(Buffer.concat(frames.slice(at, at + 256)));
    if (!taken) await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), ended, sleep(1000)]);
  }
}

/** Static entry 14 of HPACK is the status 500: the service's headers begin with the status. */
const STATUS_500 = 0x8e;

function judge(bytes: Buffer): Problem[] {
  for (const { type, payload } of readFrames(bytes)) {
    if (type === TYPE.headers && payload[0] === STATUS_500) return [problem("5xx", "a stream was answered with 500")];
  }
  return [];
}

type Fields = readonly (readonly [string, string])[];

const get = (path: string, ...more: Fields): Fields => [
  [":method", "GET"],
  [":scheme", "http"],
  [":path", path],
  [":authority", "a"],
  ...more,
];

const post = (key: string, ...more: Fields): Fields => [
  ...([
    [":method", "POST"],
    [":scheme", "http"],
    [":path", "/v1/chat/completions"],
    [":authority", "a"],
  ] as Fields),
  ["content-type", "application/json"],
  ["authorization", `Bearer ${key}`],
  ...more,
];

/** A whole request, or one whose body is still to come. */
const request = (stream: number, fields: Fields, isWhole: boolean): Buffer =>
  h2Frame(TYPE.headers, FLAG.endHeaders | (isWhole ? FLAG.endStream : 0), stream, headerBlock(fields));

const times = (count: number, make: (index: number) => Buffer): Buffer[] =>
  Array.from({ length: count }, (_, index) => make(index));
const odd = (index: number): number => index * 2 + 1;

type Shape = (
  random: Random,
  target: Target,
) => Partial<Attack> & { readonly name: string; readonly frames: readonly Buffer[] };

const keyOf = (random: Random, { service }: Target): string => (random.oneIn(2) ? service.key : service.wrongKey);
const PATHS = ["/healthz", "/v1/models", "/metrics", "/v1/nowhere", "/dashboard/"];

const SHAPES: readonly Shape[] = [
  (random) => ({
    name: "pings",
    frames: times(random.integer(100, 3000), () => h2Frame(TYPE.ping, 0, 0, random.bytes(8))),
    holdMs: 50,
  }),
  (random) => ({
    name: "settings",
    frames: times(random.integer(100, 2000), () => settings([4, random.integer(0, 65_535)])),
    holdMs: 50,
  }),
  (random) => ({
    name: "empty settings, answers not read",
    frames: times(3000, () => settings()),
    reads: random.oneIn(2),
    holdMs: 50,
  }),
  (random, target) => ({
    name: "streams that are reset at once",
    frames: times(random.integer(50, 1500), (index) =>
      Buffer.concat([
        request(odd(index), random.oneIn(2) ? get("/v1/models") : post(keyOf(random, target)), true),
        h2Frame(TYPE.reset, 0, odd(index), word(8)),
      ]),
    ),
  }),
  (random) => ({
    name: "resets of no stream",
    frames: times(random.integer(5, 500), (index) => h2Frame(TYPE.reset, 0, odd(index), word(0))),
  }),
  (random) => ({
    name: "continuations without end",
    frames: [
      h2Frame(TYPE.headers, 0, 1, headerBlock(get("/healthz"))),
      ...times(random.integer(10, 3000), (index) =>
        h2Frame(TYPE.continuation, 0, 1, random.oneIn(2) ? Buffer.alloc(0) : headerBlock([[`x-${index}`, "y"]])),
      ),
    ],
  }),
  (random) => ({
    name: "a long list of headers",
    frames: [
      request(
        1,
        get(
          "/v1/models",
          ...Array.from({ length: random.pick([10, 100, 400]) }, (_, index) => [`x-${index}`, "v".repeat(30)] as const),
        ).slice(0, 300),
        true,
      ),
    ],
    holdMs: 100,
  }),
  (random) => ({
    name: "a header of 60 KB",
    frames: [request(1, get("/v1/models", ["x-long", "v".repeat(random.integer(10_000, 16_000))]), true)],
    holdMs: 100,
  }),
  (random) => ({
    name: "no window for answers",
    frames: [
      settings([4, 0]),
      ...times(random.integer(5, 90), (index) => request(odd(index), get(random.pick(PATHS)), true)),
    ],
    holdMs: random.integer(50, 300),
  }),
  (random) => ({
    name: "answers that are not read",
    frames: times(random.integer(5, 90), (index) =>
      request(odd(index), get("/metrics", ["authorization", `Bearer ${METRICS_TOKEN}`]), true),
    ),
    reads: false,
    holdMs: random.integer(50, 300),
  }),
  (random) => ({
    name: "windows beyond their size",
    frames: [
      request(1, get("/metrics", ["authorization", `Bearer ${METRICS_TOKEN}`]), true),
      ...times(5, () =>
        h2Frame(TYPE.windowUpdate, 0, random.pick([0, 1]), word(random.pick([0, 1, 0x7fffffff, 0xffffffff]))),
      ),
    ],
  }),
  (random) => ({
    name: "windows one by one",
    frames: [
      settings([4, 1]),
      request(1, get("/metrics"), true),
      ...times(random.integer(100, 3000), () => h2Frame(TYPE.windowUpdate, 0, 1, word(1))),
    ],
  }),
  (random, target) => ({
    name: "half-open streams",
    frames: times(random.integer(5, 120), (index) =>
      Buffer.concat([
        request(odd(index), post(keyOf(random, target), ["content-length", "30000000"]), false),
        h2Frame(TYPE.data, 0, odd(index), Buffer.alloc(random.integer(0, 2000), 32)),
      ]),
    ),
    holdMs: random.integer(20, 200),
  }),
  (random, target) => ({
    name: "bodies in empty frames",
    frames: [
      request(1, post(keyOf(random, target)), false),
      ...times(random.integer(50, 2000), () => h2Frame(TYPE.data, 0, 1)),
      h2Frame(TYPE.data, FLAG.endStream, 1),
    ],
  }),
  (random, target) => ({
    name: "a body of another length",
    frames: [
      request(
        1,
        post(keyOf(random, target), ["content-length", random.pick(["5", "0", "-1", "x", "99999999999999"])]),
        false,
      ),
      h2Frame(TYPE.data, FLAG.endStream, 1, Buffer.from('{"a":1}')),
    ],
    holdMs: 100,
  }),
  (random) => ({
    name: "GOAWAY in the middle",
    frames: [
      request(1, get("/v1/models"), true),
      h2Frame(TYPE.goAway, 0, 0, Buffer.concat([word(0), word(0), random.bytes(10)])),
      request(3, get("/v1/models"), true),
    ],
  }),
  (random) => ({
    name: "priorities",
    frames: times(random.integer(10, 1500), (index) =>
      h2Frame(
        TYPE.priority,
        0,
        odd(index),
        Buffer.concat([word(random.integer(0, 200)), Buffer.from([random.integer(0, 255)])]),
      ),
    ),
  }),
  (random) => ({
    name: "a stream that depends on itself",
    frames: [
      h2Frame(
        TYPE.headers,
        FLAG.endHeaders | FLAG.endStream | FLAG.priority,
        1,
        Buffer.concat([word(1), random.bytes(1), headerBlock(get("/healthz"))]),
      ),
    ],
  }),
  (random) => ({
    name: "a frame of a wrong length",
    frames: [
      h2Frame(
        random.integer(0, 12),
        random.integer(0, 255),
        random.integer(0, 3),
        random.bytes(random.integer(0, 20)),
        random.pick([0, 1, 100, 16_385, 0xffffff]),
      ),
    ],
  }),
  (random) => ({
    name: "any frames",
    frames: times(random.integer(1, 40), () =>
      h2Frame(random.integer(0, 12), random.integer(0, 255), random.integer(0, 7), random.bytes(random.integer(0, 30))),
    ),
  }),
  (random) => ({
    name: "damaged headers",
    frames: [
      h2Frame(TYPE.headers, FLAG.endHeaders | FLAG.endStream, 1, damage(random, headerBlock(get("/v1/models")))),
    ],
  }),
  (random) => ({
    name: "odd pseudo-headers",
    frames: [
      request(
        1,
        random.pick<Fields>([
          [],
          get("").slice(0, 2),
          get("*"),
          get("v1"),
          get("/é"),
          [...get("/"), [":path", "/b"]],
          [["x", "y"], ...get("/")],
          get("/", [":status", "200"]),
          get("/", ["Upper", "x"]),
          get("/", ["connection", "close"]),
          get("/", ["te", "gzip"]),
          get("/", ["transfer-encoding", "chunked"]),
          [
            [":method", "CONNECT"],
            [":authority", "a:1"],
          ],
          [
            [":method", "CONNECT"],
            [":protocol", "websocket"],
            [":scheme", "http"],
            [":path", "/"],
            [":authority", "a"],
          ],
        ]),
        true,
      ),
    ],
    holdMs: 60,
  }),
  (random) => ({
    name: "streams out of order",
    frames: [5, 3, 5, 1, 2, 0].map((stream) => request(stream, get(random.pick(PATHS)), true)),
  }),
  (random) => ({
    name: "trailers and data behind the end",
    frames: [
      request(1, get("/healthz"), true),
      h2Frame(TYPE.data, 0, 1, random.bytes(10)),
      request(1, [["x", "y"]], true),
    ],
  }),
  (random) => ({ name: "an idle session", frames: [], holdMs: random.integer(10, 150) }),
  (random) => ({
    name: "a promise by a client",
    frames: [
      h2Frame(TYPE.pushPromise, FLAG.endHeaders, 1, Buffer.concat([word(2), headerBlock(get("/"))])),
      ...times(random.integer(0, 3), () => h2Frame(TYPE.continuation, FLAG.endHeaders, 1)),
    ],
  }),
  (random) => ({
    name: "padding",
    frames: [
      h2Frame(
        TYPE.headers,
        FLAG.endHeaders | FLAG.endStream | FLAG.padded,
        1,
        Buffer.concat([Buffer.from([random.pick([0, 10, 200, 255])]), headerBlock(get("/healthz")), Buffer.alloc(10)]),
      ),
    ],
  }),
  (random) => ({
    name: "a table of headers that is filled and named",
    frames: [
      h2Frame(
        TYPE.headers,
        FLAG.endHeaders | FLAG.endStream,
        1,
        Buffer.concat([
          headerBlock(get("/healthz")),
          Buffer.from([0x40, 1, 0x78, 0x7f, 0x81, 0x1e]),
          Buffer.alloc(4000, 0x61),
          Buffer.alloc(random.integer(10, 5000), 0xbe),
        ]),
      ),
    ],
  }),
];

function makeAttack(random: Random, target: Target): Attack {
  const shape = random.pick(SHAPES)(random, target);
  // One time in ten without the settings that have to come first.
  const opening = [PREFACE, ...(random.oneIn(10) ? [] : [settings()])];
  return { holdMs: 30, reads: true, ...shape, frames: [...opening, ...shape.frames] };
}
