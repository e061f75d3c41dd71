import type { ServerHttp2Stream } from "node:http2";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Indexed } from "../lib/dense-list.ts";
import { TimeoutSweeper } from "../lib/timeout-sweeper.ts";
import { LINGER_MS } from "./drain-body.ts";

/** More that waits for a client may take it longer: it has the time once for each of these. */
const PART_BYTES = 2 ** 20;

/** The interval of checking running answers. */
const CHECK_MS = 200;

/**
 * Bytes that may wait for the clients of one key, or of all without one: beyond it those are cut that took nothing for
 * two looks.
 */
const MOST_OF_KEY = 64 * 2 ** 20;

/** Bytes that an answer which waits counts for beside its own: what Node and its request take. */
const BYTES_OF_ANSWER = 32 * 1024;

type Raw = FastifyReply["raw"];

/** The output that waits for one client. */
interface Waiting extends Indexed {
  readonly raw: Raw;
  readonly request: FastifyRequest;
  bytes: number;
  /** When the client last took something. */
  sinceMs: number;
}

/** Most that waits, and the longest that it does. */
interface WriteLimits {
  /** Milliseconds without a sign of life, for each MiB. */
  readonly idleMs: number;
  readonly mostOfKey?: number;
  readonly lingerMs?: number;
}

/**
 * Cuts off clients that take nothing of what waits for them, of whatever kind the answer is and whatever the protocol:
 * `idleMs` milliseconds for each MiB of it, and at once where more waits for the clients of one key than may. Whoever
 * writes the answer sees a client that has left. A stream of HTTP/2 whose answer was taken is ended after `lingerMs`
 * where its request is not whole: its client could keep it for ever.
 */
export function limitWriteTime(
  app: FastifyInstance,
  { idleMs, mostOfKey = MOST_OF_KEY, lingerMs = LINGER_MS }: WriteLimits,
): void {
  let ofKeys = new Map<string, number>();
  const checkMs = Math.min(CHECK_MS, idleMs / 4, lingerMs / 4);
  const open = new TimeoutSweeper<Waiting>(checkMs, look, () => (ofKeys = new Map()));

  function look(waiting: Waiting): void {
    const { raw, sinceMs } = waiting;
    // A stream that was reset before its request was heard says no more that it is closed.
    if (isGone(raw)) open.remove(waiting);
    else if (isTaken(raw)) {
      if (performance.now() - sinceMs >= lingerMs || isTooMuch(waiting)) raw.stream.close();
    } else if (isStalled(waiting, idleMs) || (waiting.bytes > 0 && isTooMuch(waiting))) cut(raw);
  }

  /** Counts what waits for one client of a key. */
  function isTooMuch({ request, bytes, sinceMs }: Waiting): boolean {
    const key = request.summary?.principal?.keyId ?? "";
    const ofKey = (ofKeys.get(key) ?? 0) + bytes + BYTES_OF_ANSWER + unreadBytes(request.raw);
    // It was looked at twice in between.
    const takesNothing = performance.now() - sinceMs >= 2 * checkMs;
    if (takesNothing && ofKey > mostOfKey) return true;
    ofKeys.set(key, ofKey);
    return false;
  }

  app.addHook("onRequest", (request, { raw }, done) => {
    const waiting = { raw, request, bytes: 0, sinceMs: performance.now(), slot: -1 };
    open.add(waiting);
    raw.on("drain", () => {
      waiting.sinceMs = performance.now();
    });
    raw.on("close", () => open.remove(waiting));
    done();
  });
}

function isGone(raw: Raw): boolean {
  const { stream } = raw as { stream?: { readonly destroyed: boolean } };
  return raw.destroyed === true || stream?.destroyed === true;
}

/** Returns whether the end of an answer was sent, after which a stream of HTTP/2 alone may still be open. */
function isTaken(raw: Raw): raw is Raw & { readonly stream: ServerHttp2Stream } {
  const { stream } = raw as { stream?: ServerHttp2Stream };
  return raw.writableEnded && stream?.state.localClose === 1;
}

/**
 * Returns whether a client has stalled. Added output is no sign of life: heartbeats are written as long as there is
 * room.
 */
function isStalled(waiting: Waiting, idleMs: number): boolean {
  const now = performance.now();
  const { writableLength, writableEnded } = waiting.raw;
  // Without room for a stream of HTTP/2 its end waits as well.
  const bytes = Math.max(writableLength, writableEnded ? 1 : 0);
  if (bytes === 0 || bytes < waiting.bytes) waiting.sinceMs = now;
  waiting.bytes = bytes;
  return now - waiting.sinceMs >= idleMs * Math.max(1, bytes / PART_BYTES);
}

/** Counts what has come of a body that nobody reads: a stream of HTTP/2 may have 64 KiB of it. */
function unreadBytes(request: FastifyRequest["raw"]): number {
  const { stream } = request as { stream?: { readonly readableLength: number } };
  return request.readableLength + (stream?.readableLength ?? 0);
}

/** An HTTP/2 stream ends alone: others of its connection may be read. */
function cut(raw: Raw): void {
  const { stream } = raw as { stream?: { destroy(): void } };
  if (raw.destroyed) return;
  if (stream === undefined) raw.destroy();
  else stream.destroy();
}
