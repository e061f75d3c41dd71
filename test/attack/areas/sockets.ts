import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Area, Input, Target } from "../area.ts";
import { type Answer, quote, readAnswer } from "../http/answer.ts";
import { damage } from "../inputs/mutate.ts";
import { judgeAnswer, type Problem, problem } from "../judge.ts";
import type { Random } from "../random.ts";

/** Bytes on connections of HTTP/1.1 that are no right requests, each on a connection of its own. */
export const socketsArea: Area = {
  name: "sockets",
  share: 7,
  lanes: 12,
  limitMs: 20_000,
  open: (target) => ({
    make: (random, number) => toInput(makeConversation(random, target, number), target),
    close() {},
  }),
};

/** What is sent on one connection, and what may come back. */
interface Conversation {
  readonly name: string;
  /** Pieces, with a pause between two of them. */
  readonly pieces: readonly Buffer[];
  readonly pauseMs: number;
  /** What happens after the last piece: wait for an answer or an end, end the sending half, or break the connection. */
  readonly ending: "wait" | "half" | "break";
  /** Most answers that may come; fewer may. */
  readonly answers: number;
  /** Text that no answer may hold: it stands in a request that is hidden in another. */
  readonly hidden?: string;
  /** Whether what comes back is in frames of HTTP/2, which are not read here. */
  readonly isHttp2?: boolean;
  /** Whether an answer 100 Continue is wrong. */
  readonly noContinue?: boolean;
}

/** A connection that said nothing whole is given up after this; the service has longer. */
const HOLD_MS = 150;
const ANSWER_MS = 12_000;

const BODY = '{"model":"attune/sand","messages":[{"role":"user","content":"Hello"}]}';

function toInput(conversation: Conversation, target: Target): Input {
  return {
    what: () =>
      `${conversation.name}, then ${conversation.ending}: ${quote(Buffer.concat(conversation.pieces).toString("latin1", 0, 500), 500)}`,
    send: () => converse(conversation, target),
  };
}

async function converse(conversation: Conversation, { service }: Target): Promise<Problem[]> {
  const socket = connect(service.port, "127.0.0.1");
  const received: Buffer[] = [];
  const ended = new Promise<void>((resolve) => {
    socket.on("data", (chunk: Buffer) => received.push(chunk));
    socket.on("error", () => {});
    socket.on("end", resolve);
    socket.on("close", () => resolve());
  });
  try {
    await play(socket, conversation);
    if (conversation.ending === "wait") await Promise.race([ended, answered(received, socket), sleep(ANSWER_MS)]);
    if (conversation.ending === "half") await Promise.race([ended, sleep(ANSWER_MS)]);
    return judge(Buffer.concat(received), conversation, {
      secrets: service.secrets,
      ended: socket.readableEnded || socket.destroyed,
    });
  } finally {
    socket.destroy();
  }
}

async function play(socket: Socket, { pieces, pauseMs, ending }: Conversation): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed || !socket.writable) return;
    socket.write(piece);
    if (pauseMs > 0) await sleep(pauseMs);
  }
  if (ending === "half") socket.end();
  if (ending === "break") await sleep(HOLD_MS / 3);
}

/** Resolves when a whole answer has come and nothing more follows for a moment. */
async function answered(received: Buffer[], socket: Socket): Promise<void> {
  for (let quiet = 0; quiet < HOLD_MS && !socket.destroyed; quiet += 10) {
    const before = received.length;
    await sleep(10);
    if (received.length !== before) quiet = 0;
  }
}

interface Judging {
  readonly secrets: readonly string[];
  readonly ended: boolean;
}

function judge(bytes: Buffer, conversation: Conversation, { secrets, ended }: Judging): Problem[] {
  const problems: Problem[] = [];
  if (conversation.isHttp2 === true) return problems;
  let count = 0;
  for (let rest = bytes; rest.length > 0; count++) {
    const read = readOne(rest, ended);
    // What was still on its way when the connection was given up is no finding.
    if (read === "not whole") break;
    if (typeof read === "string") return [...problems, problem("envelope", read)];
    problems.push(
      ...judgeAnswer(read.answer, {
        method: "GET",
        path: pathOf(read.answer),
        namesVersion: false,
        mayClose: true,
        secrets,
      }),
    );
    if (conversation.noContinue === true && read.answer.continued)
      problems.push(problem("envelope", "100 Continue came for a wrong key"));
    rest = rest.subarray(read.end);
  }
  if (count > conversation.answers)
    problems.push(problem("envelope", `${count} answers came to ${conversation.answers} requests`));
  if (conversation.hidden !== undefined && bytes.includes(conversation.hidden))
    problems.push(problem("envelope", "a hidden request was answered"));
  return problems;
}

function readOne(bytes: Buffer, ended: boolean): { answer: Answer; end: number } | string {
  try {
    return (
      readAnswer(bytes, { method: "GET", ended: false }) ??
      (ended && bytes.length > 12 ? readAnswer(bytes, { method: "GET", ended }) : undefined) ??
      "not whole"
    );
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The form of an answer depends on its path, which raw bytes may hide: that of Messages says what it is. */
function pathOf({ status, body }: Answer): string {
  if (status < 400) return "/";
  return body.includes('"type":"error"') ? "/v1/messages" : "/v1/chat/completions";
}

type Shape = (random: Random, target: Target, number: number) => Conversation;

const make = (name: string, pieces: readonly (string | Buffer)[], more: Partial<Conversation> = {}): Conversation => ({
  name,
  pieces: pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece, "latin1") : piece)),
  pauseMs: 0,
  ending: "wait",
  answers: 1,
  ...more,
});

const post = (headers: string, body: string): string =>
  `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${headers}\r\n${body}`;

const keyLine = (random: Random, { service }: Target): string =>
  random.oneIn(2)
    ? `authorization: Bearer ${service.key}\r\n`
    : random.oneIn(2)
      ? ""
      : `authorization: Bearer ${service.wrongKey}\r\n`;

const cutRequest: Shape = (random, target) => {
  const whole = post(`${keyLine(random, target)}content-length: ${BODY.length}\r\n`, BODY);
  const cut = whole.slice(0, random.integer(0, whole.length - 1));
  return make("a request that is cut", [cut], { ending: random.pick(["half", "break"]) });
};

const slowRequest: Shape = (random, target) => {
  const whole = post(`${keyLine(random, target)}content-length: ${BODY.length}\r\n`, BODY);
  const size = random.integer(8, 60);
  const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
    whole.slice(at * size, (at + 1) * size),
  );
  const count = random.oneIn(2) ? pieces.length : random.integer(1, pieces.length);
  return make("a slow request", pieces.slice(0, count), {
    pauseMs: random.integer(1, 5),
    ending: count === pieces.length ? "wait" : "break",
  });
};

const pipelined: Shape = (random, target) => {
  const key = keyLine(random, target);
  const one = (): string =>
    random.pick([
      "GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n",
      `GET /v1/models HTTP/1.1\r\nhost: a\r\n${key}\r\n`,
      `GET /v1/nowhere HTTP/1.1\r\nhost: a\r\n${key}\r\n`,
      post(`${key}content-length: ${BODY.length}\r\n`, BODY),
    ]);
  const count = random.integer(2, 40);
  return make(`${count} requests at once`, Array.from({ length: count }, one), {
    answers: count,
    ending: random.pick(["wait", "wait", "break"]),
  });
};

const CHUNK_SIZES = [
  "0",
  "-1",
  "g",
  "",
  "ffffffff",
  "ffffffffffffffff",
  "7fffffffffffffff",
  "1;x=y",
  " 5",
  "5 ",
  "0x5",
  "00000005",
  "1e1",
  `5;${"x".repeat(5000)}`,
];

const badChunks: Shape = (random, target) => {
  const sizes = Array.from({ length: random.integer(1, 5) }, () => random.pick(CHUNK_SIZES));
  const chunks = sizes.map(
    (size) => `${size}${random.pick(["\r\n", "\r\n", "\n", "\r"])}${"x".repeat(random.integer(0, 8))}\r\n`,
  );
  const end = random.pick(["0\r\n\r\n", "0\r\nx: y\r\n\r\n", "", "0\r\n", `0\r\n${"t: v\r\n".repeat(500)}\r\n`]);
  const encoding = random.pick([
    "chunked",
    "Chunked",
    "chunked, chunked",
    "gzip, chunked",
    "chunked, gzip",
    "identity",
    "xchunked",
    "\tchunked",
    "chunked;q=1",
  ]);
  return make(
    "wrong chunks",
    [post(`${keyLine(random, target)}transfer-encoding: ${encoding}\r\n`, chunks.join("") + end)],
    { ending: random.pick(["half", "break"]), answers: 8 },
  );
};

const manyChunks: Shape = (random, target) => {
  const count = random.pick([100, 1000, 20_000]);
  const chunks = "1\r\n \r\n".repeat(count);
  return make(`${count} chunks of one byte`, [
    post(
      `${keyLine(random, target)}transfer-encoding: chunked\r\n`,
      `${chunks}${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
    ),
  ]);
};

/** Two ways to tell where a body ends; who believes one of them alone sees a second request. */
const smuggling: Shape = (random, target, number) => {
  const hidden = `/v1/smuggled-${number}`;
  const inner = `GET ${hidden} HTTP/1.1\r\nhost: a\r\n\r\n`;
  const key = keyLine(random, target);
  const framing = random.pick([
    `content-length: 4\r\ntransfer-encoding: chunked\r\n`,
    `transfer-encoding: chunked\r\ncontent-length: ${5 + inner.length}\r\n`,
    `content-length: 0\r\ncontent-length: ${inner.length}\r\n`,
    `content-length: 0, ${inner.length}\r\n`,
    `content-length: +0\r\n`,
    `content-length: 0x0\r\n`,
    `content-length : 0\r\n`,
    `content-length\t: 0\r\n`,
    `x: y\rcontent-length: 0\r\n`,
    `transfer-encoding: xchunked\r\ncontent-length: 0\r\n`,
    `transfer-encoding : chunked\r\ncontent-length: 5\r\n`,
    `transfer-encoding:\x0bchunked\r\ncontent-length: 5\r\n`,
    ` transfer-encoding: chunked\r\ncontent-length: 5\r\n`,
  ]);
  return make("a request within a request", [post(key + framing, `0\r\n\r\n${inner}`)], {
    hidden,
    answers: 1,
    ending: random.pick(["wait", "half"]),
  });
};

const expecting: Shape = (random, { service }) => {
  const isRight = random.oneIn(3);
  const key = isRight ? service.key : service.wrongKey;
  const expect = random.oneIn(5) ? random.pick(["200-ok", "", "100-continue, x", "100-CONTINUE"]) : "100-continue";
  const length = random.oneIn(2) ? BODY.length : 30_000_000;
  const head = post(`authorization: Bearer ${key}\r\nexpect: ${expect}\r\ncontent-length: ${length}\r\n`, "");
  const body = length === BODY.length && random.oneIn(2) ? [BODY] : [];
  return make("a request that expects 100 Continue", [head, ...body], {
    ending: isRight && body.length === 0 ? "break" : "wait",
    noContinue: !isRight,
    pauseMs: 20,
  });
};

const garbage: Shape = (random) => {
  const start = random.pick([
    "",
    "",
    "GET ",
    "GET / HTTP/1.1\r\n",
    "PRI * HTTP/2.0\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "SSH-2.0-x\r\n",
    "\r\n\r\n\r\n",
    "*1\r\n$4\r\nPING\r\n",
  ]);
  const bytes = Buffer.concat([Buffer.from(start, "latin1"), random.bytes(random.pick([0, 1, 10, 300]))]);
  const isHttp2 = start.startsWith("PRI");
  return make("garbage", [bytes], { ending: isHttp2 ? "break" : random.pick(["half", "break"]), isHttp2 });
};

const REQUEST_LINES = [
  ...[
    "GET / HTTP/1.0\r\n",
    "GET / HTTP/0.9\r\n",
    "GET / HTTP/3.0\r\n",
    "GET /\r\n",
    "get / HTTP/1.1\r\n",
    "GET  / HTTP/1.1\r\n",
    "GET / HTTP/1.1 \r\n",
    "GET / HTTP/1.1\n",
  ],
  ...[
    "GET http://127.0.0.1/v1/models HTTP/1.1\r\n",
    "CONNECT 127.0.0.1:80 HTTP/1.1\r\n",
    "CONNECT / HTTP/1.1\r\n",
    "OPTIONS * HTTP/1.1\r\n",
    "GET * HTTP/1.1\r\n",
    "GET /v1/mo\0dels HTTP/1.1\r\n",
    "GET /a b HTTP/1.1\r\n",
    "BREW / HTTP/1.1\r\n",
  ],
];

const HEADER_LINES = [
  ...[
    "host: a\r\n",
    "host: a\r\nhost: b\r\n",
    "host:\r\n",
    ": x\r\n",
    "x\r\n",
    " folded: x\r\n",
    "a: b\r\n folded\r\n",
    "a\0b: c\r\n",
    "a: b\0c\r\n",
    "é: x\r\n",
    "upgrade: h2c\r\nconnection: upgrade, http2-settings\r\nhttp2-settings: AAMAAABkAARAAAAAAAIAAAAA\r\n",
  ],
  ...[
    "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n",
    "connection: close\r\n",
    "connection: keep-alive, x\r\n",
    "content-length: -1\r\n",
    "content-length: 99999999999999999999\r\n",
    "te: trailers\r\n",
  ],
];

const oddHead: Shape = (random) => {
  const lines = Array.from({ length: random.integer(0, 4) }, () => random.pick(HEADER_LINES)).join("");
  const many = random.oneIn(10)
    ? Array.from({ length: random.pick([90, 1000, 2500]) }, (_, index) => `x-${index}: y\r\n`).join("")
    : "";
  const long = random.oneIn(15) ? `x-long: ${"v".repeat(random.pick([8000, 17_000, 70_000]))}\r\n` : "";
  const bytes = Buffer.from(`${random.pick(REQUEST_LINES)}${lines}${many}${long}\r\n`, "latin1");
  return make("an odd head", [random.oneIn(5) ? damage(random, bytes) : bytes], { ending: "half", answers: 2 });
};

const SHAPES: readonly Shape[] = [
  cutRequest,
  slowRequest,
  pipelined,
  badChunks,
  badChunks,
  manyChunks,
  smuggling,
  smuggling,
  expecting,
  garbage,
  oddHead,
  oddHead,
];

function makeConversation(random: Random, target: Target, number: number): Conversation {
  return random.pick(SHAPES)(random, target, number);
}
