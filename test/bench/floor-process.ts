/**
 * The least that the same promises cost by hand: a key is checked, JSON read and written both ways, what it cost
 * counted, and the record written to a file before the answer ends; with BENCH_FLOOR=database a thread then writes it
 * to SQLite. No routing, no other formats, no limits, no errors.
 */
import { createHash, randomUUID } from "node:crypto";
import { openSync, writeSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { type Dispatcher, Pool } from "undici";
import { answerReadings } from "./measured-process.ts";

const { BENCH_UPSTREAM: upstream = "", BENCH_FOLDER: folder = "", BENCH_FLOOR: floor } = process.env;
const KEY = "sk-floor";
const hashOf = (text: string) => createHash("sha256").update(text).digest("base64");
const names = new Map([[hashOf(KEY), "bench"]]);
const PICOS_PER_TOKEN = { prompt_tokens: 1_000_000, completion_tokens: 4_000_000 };

/** The file begins anew after so many bytes. */
const FILE_BYTES = 64 * 2 ** 20;
/** Bytes that the thread may be behind: answers wait for it then. */
const BEHIND_BYTES = 16 * 2 ** 20;
const FLUSH_MS = 200;

const path = join(folder, "records");
const file = openSync(path, "w");
let [begin, end] = [0, 0];
const writer =
  floor === "database" ? new Worker(new URL("./floor-writer.ts", import.meta.url), { workerData: folder }) : undefined;
setInterval(flush, FLUSH_MS).unref();

let behind = 0;
const waiting: (() => void)[] = [];
writer?.on("message", (written: number) => {
  behind -= written;
  for (const answer of waiting.splice(0)) whenRoom(answer);
});

function flush(): void {
  if (end > begin) writer?.postMessage({ begin, end });
  begin = end;
}

function whenRoom(answer: () => void): void {
  if (behind < BEHIND_BYTES) answer();
  else waiting.push(answer);
}

/** Appends a record: the lengths of its parts, then the parts. */
function record(facts: object, request: Buffer, response: Buffer): void {
  const json = Buffer.from(JSON.stringify(facts));
  const head = Buffer.allocUnsafe(12);
  for (const [at, part] of [json, request, response].entries()) head.writeUInt32LE(part.length, 4 * at);
  const frame = Buffer.concat([head, json, request, response]);
  if (end + frame.length > FILE_BYTES) {
    flush();
    [begin, end] = [0, 0];
  }
  writeSync(file, frame, 0, frame.length, end);
  end += frame.length;
  if (writer === undefined) return;
  behind += frame.length;
  if (behind >= BEHIND_BYTES) flush();
}

interface Asked {
  readonly id: string;
  readonly key: string;
  readonly model: string;
  readonly began: number;
  readonly body: Buffer;
}

type Usage = Readonly<Record<keyof typeof PICOS_PER_TOKEN, number>>;

function finish(asked: Asked, answer: Buffer, usage: Usage | undefined): void {
  const { id, key, model, began, body } = asked;
  const { prompt_tokens: input = 0, completion_tokens: output = 0 } = usage ?? {};
  const cost = input * PICOS_PER_TOKEN.prompt_tokens + output * PICOS_PER_TOKEN.completion_tokens;
  const latency = performance.now() - began;
  record({ id, key, model, cost, input, output, latency, at: Date.now(), status: "completed" }, body, answer);
}

const pool = new Pool(new URL(upstream).origin, { connections: 64 });

function readBody(request: IncomingMessage, then: (body: Buffer) => void): void {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => then(Buffer.concat(parts)));
}

/** Each event is read and written, as a gateway of several formats does. */
class EventRewriter {
  readonly #asked: Asked;
  #rest = "";
  usage: Usage | undefined;

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  rewrite(text: string): string {
    const frames = (this.#rest + text).split("\n\n");
    this.#rest = frames.pop() ?? "";
    return frames.map((frame) => `data: ${this.#event(frame.slice("data: ".length))}\n\n`).join("");
  }

  #event(data: string): string {
    if (data === "[DONE]") return data;
    const event = JSON.parse(data);
    this.usage = event.usage ?? this.usage;
    return JSON.stringify({ ...event, id: this.#asked.id, model: this.#asked.model });
  }
}

function handlerOf(asked: Asked, isStream: boolean, response: ServerResponse): Dispatcher.DispatchHandler {
  const events = new EventRewriter(asked);
  const parts: Buffer[] = [];
  return {
    onRequestStart() {},
    onResponseStart() {
      if (isStream) response.writeHead(200, { "content-type": "text/event-stream" });
    },
    onResponseData(_, part) {
      if (!isStream) return void parts.push(part);
      const text = events.rewrite(part.toString());
      parts.push(Buffer.from(text));
      response.write(text);
    },
    onResponseEnd() {
      if (isStream) {
        finish(asked, Buffer.concat(parts), events.usage);
        return whenRoom(() => response.end());
      }
      const answer = JSON.parse(Buffer.concat(parts).toString());
      const bytes = Buffer.from(JSON.stringify({ ...answer, id: asked.id, model: asked.model }));
      finish(asked, bytes, answer.usage);
      const headers = { "content-type": "application/json", "content-length": bytes.length };
      whenRoom(() => response.writeHead(200, headers).end(bytes));
    },
    onResponseError(_, error) {
      response.destroy(error);
    },
  };
}

const server = createServer((request, response) => {
  const began = performance.now();
  const key = names.get(hashOf(request.headers.authorization?.slice("Bearer ".length) ?? ""));
  if (key === undefined) return void response.writeHead(401).end();
  readBody(request, (body) => {
    const { model, ...asked } = JSON.parse(body.toString());
    const sent = Buffer.from(JSON.stringify({ model: String(model).slice("attune/".length), ...asked }));
    const handler = handlerOf({ id: randomUUID(), key, model, began, body }, asked.stream === true, response);
    const headers = { "content-type": "application/json" };
    pool.dispatch({ path: "/chat/completions", method: "POST", headers, body: sent }, handler);
  });
});
server.listen(0, "127.0.0.1", () => answerReadings(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, KEY));
process.on("SIGTERM", () => process.exit(0));
