import { constants } from "node:buffer";
import type { ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { UPSTREAM_HEADERS } from "../../support/upstream-frames.ts";
import type { Script } from "../hostile-upstream.ts";
import type { Random } from "../random.ts";

/** What an upstream does, and what may come of it. */
export interface Fault {
  readonly name: string;
  readonly script: Script;
  /** Whether the answer is not whole, so that nobody may be told that it is. */
  readonly isCut: boolean;
  /** Status that the upstream answers with. */
  readonly status: number;
}

/** Content types that answers have, rightly or not. */
export const TYPES = [
  "application/json",
  "text/html",
  "text/plain",
  "",
  "text/event-stream",
  "application/octet-stream",
  "é",
  "multipart/x-mixed-replace",
];

/** Bytes after which an endless answer is given up, should nobody stop it. */
const ENDLESS_BYTES = 96 * 2 ** 20;

/** Makes a fault that answers with 200, and is not cut unless `more` says so. */
export function fault(name: string, script: Script, more: Partial<Fault> = {}): Fault {
  return { name, script, isCut: false, status: 200, ...more };
}

/** Writes the head of a stream; `headers` may make it one of something else. */
export function begin(response: ServerResponse, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, { "content-type": "text/event-stream", ...UPSTREAM_HEADERS, ...headers });
}

/** Sends the first `end` bytes of a body, and then no more. */
export function cutAt(random: Random, body: Buffer, end: number, type: string): Fault {
  const how = random.pick(["ends", "breaks", "resets"] as const);
  return fault(
    `${how} after ${end} bytes`,
    async (response, socket) => {
      begin(response, { "content-type": type });
      response.flushHeaders();
      if (end > 0) await new Promise<void>((resolve) => response.write(body.subarray(0, end), () => resolve()));
      if (how === "ends") response.end();
      else if (how === "breaks") socket.destroy();
      else socket.resetAndDestroy();
    },
    { isCut: true },
  );
}

/** Writes until it is stopped. */
export function endless(name: string, { start, more = start, type = "text/event-stream", status }: Endless): Fault {
  return fault(
    name,
    async (response) => {
      if (status === undefined) begin(response, { "content-type": type });
      else response.writeHead(status, { ...UPSTREAM_HEADERS, "content-type": type });
      await writeEndlessly(response, start, more);
    },
    { isCut: true, ...(status !== undefined && { status }) },
  );
}

/** Writes bytes that need not be HTTP until it is stopped. */
export function endlessRaw(name: string, { start, more = start }: Omit<Endless, "type" | "status">): Fault {
  return fault(name, (_response, socket) => writeEndlessly(socket, start, more), { isCut: true });
}

async function writeEndlessly(to: Writable, start: string, more: string): Promise<void> {
  const chunk = Buffer.from(more.repeat(Math.max(1, Math.floor(65_536 / more.length))));
  to.write(start);
  for (let sent = 0; sent < Math.min(ENDLESS_BYTES, constants.MAX_LENGTH) && !to.destroyed; sent += chunk.length) {
    if (!to.write(chunk)) await taken(to);
  }
  to.destroy();
}

/** What an endless body is made of. */
export interface Endless {
  readonly start: string;
  /** What comes again and again; the start where it is not given. */
  readonly more?: string;
  readonly type?: string;
  readonly status?: number;
}

/** Resolves when what was written is taken, or nobody takes it any more. */
function taken(to: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      to.off("drain", done).off("close", done);
      resolve();
    };
    to.on("drain", done).on("close", done);
  });
}

/** Sends a body a few bytes at a time. */
export function drip(random: Random, body: Buffer, type: string): Fault {
  const size = random.pick([1, 7, 50, 400]);
  return fault(`drips ${size} bytes at a time`, async (response) => {
    begin(response, { "content-type": type });
    for (let at = 0; at < body.length && !response.destroyed; at += size) {
      response.write(body.subarray(at, at + size));
      // Some pieces come together: where they are split is what matters.
      if (random.oneIn(20)) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    response.end();
  });
}

/** Answers with bytes that need not be HTTP. */
export function raw(name: string, text: string, isCut = true): Fault {
  return fault(name, (_response, socket) => void socket.end(Buffer.from(text, "utf8")), { isCut });
}
