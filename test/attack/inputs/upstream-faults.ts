import { setTimeout as sleep } from "node:timers/promises";
import { FRAMES, SCENARIOS, UPSTREAM_HEADERS, type UpstreamKind } from "../../support/upstream-frames.ts";
import { WHOLES } from "../../support/upstream-wholes.ts";
import type { Random } from "../random.ts";
import { begin, cutAt, drip, endless, endlessRaw, type Fault, fault, raw, TYPES } from "./fault.ts";
import { hostileText } from "./hostile.ts";
import { toJsonText } from "./json-text.ts";
import { damage, mutate } from "./mutate.ts";

/** Frames at the end of an answer without which it may still count as whole. */
const SPARE: Record<UpstreamKind, number> = { chat: 2, responses: 0, messages: 1 };

/** Makes a fault of an upstream of a kind. */
export function makeFault(random: Random, kind: UpstreamKind): Fault {
  const frames = FRAMES[kind][random.pick(SCENARIOS)];
  const shape = random.next();
  if (shape < 0.2) return cut(random, frames, SPARE[kind]);
  if (shape < 0.55) return changed(random, frames);
  if (shape < 0.62) return sized(random, frames, kind);
  if (shape < 0.82) return refused(random);
  if (shape < 0.92) return misframed(random, frames, kind);
  return timed(random, frames);
}

function cut(random: Random, frames: readonly string[], spare: number): Fault {
  // The last frame that is needed is cut in its middle at best.
  const whole = Buffer.from(frames.slice(0, frames.length - spare).join(""));
  const end = random.integer(0, whole.length - Math.floor((frames[frames.length - spare - 1] ?? "").length / 2) - 2);
  return cutAt(random, whole, end, "text/event-stream");
}

function changed(random: Random, frames: readonly string[]): Fault {
  const at = random.integer(0, frames.length - 1);
  const other = random.integer(0, frames.length - 1);
  const frame = frames[at] ?? "";
  const put = (...put: readonly (string | Buffer)[]): (string | Buffer)[] => [
    ...frames.slice(0, at),
    ...put,
    ...frames.slice(at + 1),
  ];
  const send = (name: string, pieces: readonly (string | Buffer)[]): Fault =>
    fault(`${name} ${at}`, (response) => {
      begin(response);
      response.end(Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
    });
  switch (random.integer(0, 9)) {
    case 0:
      return send("damages frame", put(damage(random, Buffer.from(frame))));
    case 1:
      return send("doubles frame", put(frame, frame));
    case 2:
      return send("leaves out frame", put());
    case 3:
      return send(
        `swaps frame ${other} with`,
        frames.map((own, index) => (index === at ? frames[other] : index === other ? frame : own) ?? ""),
      );
    case 4:
      return send("says everything twice", [...frames, ...frames]);
    case 5:
      return send(
        "says something odd before frame",
        put(
          random.pick([
            "data:\n\n",
            "event: x\n\n",
            ": c\n\n",
            "data: [DONE]\n\n",
            "id: 1\nretry: x\n\n",
            "data\n\n",
            "\ufeff",
            "data: null\n\n",
            "data: []\n\n",
            "\r\r",
            "data: {}\ndata: {}\n\n",
            'event: error\ndata: {"type":"error","error":{"type":"x","message":"x"}}\n\n',
          ]),
          frame,
        ),
      );
    default:
      return send("changes frame", put(changeFrame(random, frame)));
  }
}

/** Changes the JSON of a frame, and leaves the frame a frame. */
function changeFrame(random: Random, frame: string): string {
  const text = /^data: (\{.*\})$/m.exec(frame)?.[1];
  if (text === undefined) return frame;
  const value = mutate(random, JSON.parse(text));
  return frame.replace(text, () => toJsonText(value).replace(/\n/g, " "));
}

function sized(random: Random, frames: readonly string[], kind: UpstreamKind): Fault {
  const [first = ""] = frames;
  const many = random.pick([100, 1000, 10_000]);
  const open = (pieces: readonly string[], name: string, isCut = false): Fault =>
    fault(
      name,
      (response) => {
        begin(response);
        response.end(pieces.join(""));
      },
      { isCut },
    );
  if (random.oneIn(6)) return neverEnding(random, frames);
  switch (random.integer(2, 7)) {
    case 2:
      return open([first, `data: ${"[".repeat(100_000)}${"]".repeat(100_000)}\n\n`], "arrays in arrays", true);
    case 3:
      return open(
        [first, `data: {"type":"x","a":${'{"a":'.repeat(many)}1${"}".repeat(many)}}\n\n`, ...frames.slice(1)],
        `an event of ${many} levels`,
      );
    case 4:
      return open(
        frames.flatMap((frame, index) => (index === 1 ? Array.from({ length: many }, () => frame) : [frame])),
        `one event ${many} times`,
      );
    case 5:
      return open([first, manyCalls(kind, many), ...frames.slice(1)], `${many} calls at once`);
    case 6:
      return open(
        frames.map((frame) =>
          frame.replace("Let me ", "x".repeat(random.integer(1e5, 4e6))).replace("Once upon a", "x".repeat(3e6)),
        ),
        "long texts",
      );
    default:
      return open([":".repeat(1e6), "\n\n", ...frames], "a long comment");
  }
}

/** Lines of which an event may have as many as an upstream likes, if nobody counts them. */
const LINES = ["data: z\n", "data:\n", "data: z\r\n", "event: e\n", "id: 1\n", "retry: 1\n", ": c\n", "x: y\n", "z\n"];

/** Begins a body in chunks of HTTP. */
const CHUNKED = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

function neverEnding(random: Random, frames: readonly string[]): Fault {
  const [first = ""] = frames;
  const line = random.pick(LINES);
  switch (random.integer(0, 6)) {
    case 0:
      return endless("an endless answer", { start: frames.slice(0, -2).join("") });
    case 1:
      return endless("an endless line", { start: `data: {"x":"${"x".repeat(60_000)}`, more: "y" });
    case 2:
      return endless(`an endless event of ${JSON.stringify(line)}`, { start: first, more: line });
    case 3:
      return endlessRaw("an endless line in pieces of two characters", {
        start: `${CHUNKED}6\r\ndata: \r\n`,
        more: "2\r\nxx\r\n",
      });
    case 4:
      return endlessRaw("trailers without end", { start: `${CHUNKED}0\r\n`, more: "x-a: b\r\n" });
    case 5:
      return endlessRaw("interim answers without end", { start: "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" });
    default:
      return endless("an endless error", { start: '{"error":{"message":"', more: "x", status: random.pick(STATUSES) });
  }
}

function manyCalls(kind: UpstreamKind, count: number): string {
  const calls = Array.from({ length: count }, (_, index) => ({
    index,
    id: `c${index}`,
    type: "function",
    function: { name: "f", arguments: "{}" },
  }));
  if (kind === "chat")
    return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: null }] })}\n\n`;
  if (kind === "responses")
    return `event: response.completed\ndata: ${JSON.stringify({ type: "response.completed", response: { output: calls.map(({ id }) => ({ type: "function_call", id, call_id: id, name: "f", arguments: "{}" })) } })}\n\n`;
  return calls
    .map(
      ({ index }) =>
        `event: content_block_start\ndata: ${JSON.stringify({ type: "content_block_start", index, content_block: { type: "text", text: "" } })}\n\n`,
    )
    .join("");
}

const STATUSES = [
  200, 201, 204, 206, 300, 301, 304, 307, 400, 401, 402, 403, 404, 408, 409, 413, 418, 422, 429, 451, 499, 500, 501,
  502, 503, 504, 520, 529, 599, 999,
];
const ERRORS = [
  '{"error":{"message":"no","type":"x","code":"y","param":"z"}}',
  '{"type":"error","error":{"type":"overloaded_error","message":"no"},"request_id":"r"}',
  ...[
    '{"error":"no"}',
    '{"error":{"message":5}}',
    '{"error":null}',
    "[]",
    "null",
    '"no"',
    "",
    "<html>no</html>",
    '{"message":"no"}',
    '{"error":{"message":""}}',
    '{"detail":[{"loc":["a"],"msg":"no"}]}',
  ],
];
const RETRY_AFTER = [
  "5",
  "0",
  "-1",
  "99999999999999999999",
  "1e9",
  "x",
  "Fri, 31 Dec 9999 23:59:59 GMT",
  "Thu, 01 Jan 1970 00:00:00 GMT",
  "",
  "0.5",
  "9223372036854775808",
];

function refused(random: Random): Fault {
  const status = random.pick(STATUSES);
  const body = errorBody(random);
  const headers: Record<string, string> = { ...UPSTREAM_HEADERS, "content-type": random.pick(TYPES) };
  if (random.oneIn(2))
    headers[random.pick(["retry-after", "retry-after-ms", "x-should-retry"])] = random.pick(RETRY_AFTER);
  if (random.oneIn(4)) headers["x-request-id"] = random.pick(["", "x".repeat(5000), "é", "a b", "{}"]);
  if (random.oneIn(4)) headers["x-ratelimit-remaining-tokens"] = random.pick(["", "x".repeat(3000), "é", "-1"]);
  if (random.oneIn(8)) headers["location"] = "http://127.0.0.1:1/elsewhere";
  return fault(
    `answers ${status}: ${body.slice(0, 80)}`,
    (response, _socket, request) => {
      const key = request.headers["authorization"] ?? request.headers["x-api-key"];
      response.writeHead(status, headers).end(body.replaceAll("<key>", String(key)));
    },
    { status, isCut: true },
  );
}

/**
 * What is looked for in messages, one after another: whatever begins anew at each of them takes the square of their
 * number.
 */
const BAITS = ["e", "1", "1,111", "exceeds ", "context length ", "sk-", "a-", "> 1"];

function errorBody(random: Random): string {
  if (random.oneIn(6))
    return '{"error":{"message":"wrong key <key>","type":"<key>","code":"<key>","param":"<key>"},"type":"error"}';
  if (random.oneIn(10)) return random.pick(BAITS).repeat(random.integer(1000, 60_000));
  if (random.oneIn(10))
    return random.pick(ERRORS).replace("no", random.pick(BAITS).repeat(random.integer(1000, 60_000)));
  if (random.oneIn(4)) return toJsonText(mutate(random, JSON.parse(ERRORS[random.integer(0, 1)] ?? "{}")));
  return random.pick(ERRORS).replace("no", () => JSON.stringify(hostileText(random)).slice(1, -1));
}

/** Answers that are wrong below their events: types, lengths, and bytes that are no HTTP. */
function misframed(random: Random, frames: readonly string[], kind: UpstreamKind): Fault {
  const body = frames.join("");
  const head = (length: number | string): string =>
    `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${length}\r\n\r\n`;
  const size = Buffer.byteLength(body);
  switch (random.integer(0, 9)) {
    case 0:
      return raw("a length that is too long", head(size + random.integer(1, 1000)) + body, false);
    case 1:
      return raw("a length that is too short", head(random.integer(0, Math.floor(size / 2))) + body);
    case 2:
      return raw("a wrong length", head(random.pick(["-1", "x", "99999999999999999999", "5, 6"])) + body);
    case 3:
      return raw(
        "no HTTP",
        random.pick([
          "",
          "x",
          "HTTP/1.1\r\n\r\n",
          "HTTP/2.0 200\r\n\r\n",
          "HTTP/1.1 9 x\r\n\r\n",
          "HTTP/1.1 200 OK\r\nx\r\n\r\n",
          "SSH-2.0\r\n",
        ]),
      );
    case 4:
      return raw("headers without end", `HTTP/1.1 200 OK\r\n${"x-a: b\r\n".repeat(random.pick([10, 5000]))}`);
    case 5:
      return raw(
        "wrong chunks",
        `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n${random.pick(["zz", "-1", "ffffffffff", ""])}\r\n${body}\r\n`,
        false,
      );
    case 6:
      return raw(
        "many interim answers",
        `${"HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n".repeat(random.integer(1, 300))}${head(size)}${body}`,
        false,
      );
    case 7:
      return fault(
        "a stream of another type",
        (response) => void response.writeHead(200, { "content-type": random.pick(TYPES) }).end(body),
      );
    case 8:
      return fault(
        "a whole answer where a stream was asked for",
        (response) =>
          void response
            .writeHead(200, { "content-type": "application/json" })
            .end(WHOLES[kind][random.pick(SCENARIOS)]),
      );
    default:
      return fault("a compression that nobody asked for", (response) => {
        begin(response, { "content-encoding": random.pick(["gzip", "br", "x"]) });
        response.end(body);
      });
  }
}

function timed(random: Random, frames: readonly string[]): Fault {
  const text = Buffer.from(frames.join(""));
  if (random.oneIn(12)) return fault("says nothing", () => sleep(4000), { isCut: true });
  if (random.oneIn(12)) {
    const begun = Buffer.from(frames.slice(0, 2).join(""));
    return fault(
      "falls silent",
      async (response) => {
        begin(response);
        response.write(begun);
        await sleep(4000);
      },
      { isCut: true },
    );
  }
  return drip(random, text, "text/event-stream");
}
