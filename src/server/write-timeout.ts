import type { FastifyInstance, FastifyReply } from "fastify";
import type { Indexed } from "../lib/dense-list.ts";
import { TimeoutSweeper } from "../lib/timeout-sweeper.ts";

/** More that waits for a client may take it longer: it has the time once for each of these. */
const PART_BYTES = 2 ** 20;

/** The interval of checking running answers. */
const CHECK_MS = 200;

/** Bytes that may wait for the clients of one key: beyond it those are cut that took nothing for two looks. */
const MOST_OF_KEY = 64 * 2 ** 20;

type Raw = FastifyReply["raw"];

/** The output that waits for one client. */
interface Waiting extends Indexed {
  readonly raw: Raw;
  /** The key of its client; undefined for one without. */
  readonly key: string | undefined;
  bytes: number;
  /** When the client last took something. */
  sinceMs: number;
}

/**
 * Cuts off clients that take nothing of what waits for them, of whatever kind the answer is and whatever the protocol:
 * `idleMs` milliseconds for each MiB of it, and at once where more waits for the clients of one key than may. Whoever
 * writes the answer sees a client that has left.
 */
export function limitWriteTime(app: FastifyInstance, idleMs: number, mostOfKey = MOST_OF_KEY): void {
  let ofKeys = new Map<string, number>();
  const checkMs = Math.min(CHECK_MS, idleMs / 4);
  const open = new TimeoutSweeper<Waiting>(
    checkMs,
    (waiting) => {
      // A stream that was reset before its request was heard says no more that it is closed.
      if (isGone(waiting.raw)) open.remove(waiting);
      else if (isStalled(waiting, idleMs) || isTooMuch(waiting)) cut(waiting.raw);
    },
    () => (ofKeys = new Map()),
  );

  /** Counts what waits for one client of a key. */
  function isTooMuch({ key, bytes, sinceMs }: Waiting): boolean {
    if (key === undefined || bytes === 0) return false;
    const ofKey = (ofKeys.get(key) ?? 0) + bytes;
    // It was looked at twice in between.
    const takesNothing = performance.now() - sinceMs >= 2 * checkMs;
    if (takesNothing && ofKey > mostOfKey) return true;
    ofKeys.set(key, ofKey);
    return false;
  }

  app.addHook("onRequest", ({ headers }, { raw }, done) => {
    const key = headers.authorization ?? headers["x-api-key"]?.toString();
    const waiting = { raw, key, bytes: 0, sinceMs: performance.now(), slot: -1 };
    open.add(waiting);
    raw.on("drain", () => {
      waiting.sinceMs = performance.now();
    });
    raw.once("close", () => open.remove(waiting));
    done();
  });
}

function isGone(raw: Raw): boolean {
  const { stream } = raw as { stream?: { readonly destroyed: boolean } };
  return raw.destroyed === true || stream?.destroyed === true;
}

/**
 * Returns whether a client has stalled. Added output is no sign of life: heartbeats are written as long as there is
 * room.
 */
function isStalled(waiting: Waiting, idleMs: number): boolean {
  const now = performance.now();
  const bytes = waiting.raw.writableLength;
  if (bytes === 0 || bytes < waiting.bytes) waiting.sinceMs = now;
  waiting.bytes = bytes;
  return now - waiting.sinceMs >= idleMs * Math.max(1, bytes / PART_BYTES);
}

/** An HTTP/2 stream ends alone: others of its connection may be read. */
function cut(raw: Raw): void {
  const { stream } = raw as { stream?: { destroy(): void } };
  if (raw.destroyed) return;
  if (stream === undefined) raw.destroy();
  else stream.destroy();
}
