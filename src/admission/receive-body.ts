import type { Buffer } from "node:buffer";
import type { EventEmitter } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { Capacity, type CapacityUser } from "../hub/capacity.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { HeldBytes } from "../hub/held-bytes.ts";
import type { Principal } from "../hub/principal.ts";
import { ChunkList, SmallPieces } from "../lib/chunk-list.ts";
import type { Indexed } from "../lib/dense-list.ts";
import { TimeoutSweeper } from "../lib/timeout-sweeper.ts";

/** Most that the bodies of requests may take, of memory and of time. */
export interface ReceiveLimits {
  /** Bytes of one body. */
  readonly bodyBytes: number;
  /** Bytes that the bodies of all requests that are not answered may have together; an eighth of them for one key. */
  readonly receivingBytes: number;
  /** Part of these for the keys of one project. */
  readonly projectShare: number;
  /** Longest silence within a body. */
  readonly idleMs?: number;
  /** Longest time that a body may take in all. */
  readonly totalMs?: number;
}

/** A request of node:http or of the compatibility API of node:http2. */
export type RequestStream = Readable & { readonly headers: IncomingHttpHeaders };

/**
 * Reads the body of an admitted request, whose bytes count until its answer closes. Rejects with REQUEST_TOO_LARGE,
 * with UNAVAILABLE or RATE_LIMITED while there are too many bytes or bodies on their way in, with INVALID_REQUEST if
 * the body stops coming, and with CANCELED if its sender leaves.
 */
export type ReceiveBody = (request: RequestStream, user: BodySender, answer: AnswerOf) => Promise<Buffer>;

/** The answer to a request, until whose end its body counts. */
export interface AnswerOf {
  readonly closing: EventEmitter;
  /** Told of what the body counts for; absent where nobody asks. */
  readonly onHeld?: (held: HeldBytes) => void;
}

/** The caller who sends a body. */
type BodySender = CapacityUser & Pick<Principal, "feedbackOn">;

/** Most bytes of a body that comes with a feedback token, which anybody may have. */
const TOKEN_BODY_BYTES = 65_536;

const IDLE_MS = 30_000;
const TOTAL_MS = 300_000;
const SWEEP_MS = 1000;
/**
 * Part of all these bytes that the requests of one key may have, and the most where one body may be larger than that.
 */
const KEY_SHARE = 0.125;
const KEY_SHARE_OF_LARGE = 0.25;
/** Bodies that may be on their way in; an eighth of them for one key. Each costs some 50 KB, however small it is. */
const MOST_BODIES = 8192;
const RETRY_AFTER_MS = 1000;

/** Creates the count of the bytes of bodies and of WebSocket frames, until they are answered. */
export function createReceivingCapacity({ bodyBytes, receivingBytes: most, projectShare }: ReceiveLimits): Capacity {
  const remedy = "send fewer large requests at a time";
  const name = "bytes of requests that are not answered yet";
  const ofKey = Math.ceil(Math.min(Math.max(bodyBytes, most * KEY_SHARE), most * KEY_SHARE_OF_LARGE));
  return new Capacity({ name, remedy, retryAfterMs: RETRY_AFTER_MS, most, projectShare, ofKey });
}

/** Creates the count of the bodies that are on their way in. */
function createBodyCapacity({ projectShare }: ReceiveLimits): Capacity {
  return new Capacity({
    name: "requests whose bodies are still to come",
    remedy: "send each body faster, or fewer at a time",
    retryAfterMs: RETRY_AFTER_MS,
    most: MOST_BODIES,
    projectShare,
    ofKey: MOST_BODIES * KEY_SHARE,
  });
}

/** Creates the reader of bodies; all that it reads share a budget. */
export function createBodyReceiver(limits: ReceiveLimits, budget = createReceivingCapacity(limits)): ReceiveBody {
  const { idleMs = IDLE_MS, totalMs = TOTAL_MS } = limits;
  const coming = createBodyCapacity(limits);
  const sweep = new TimeoutSweeper<Reception>(Math.min(SWEEP_MS, idleMs, totalMs), (reception) => {
    const { startedAt, hasHeard, cut } = reception;
    const now = performance.now();
    if (hasHeard) reception.heardAt = now;
    reception.hasHeard = false;
    if (now - reception.heardAt > idleMs) cut(late(`no byte of it came for ${idleMs / 1000} s`));
    else if (now - startedAt > totalMs) cut(late(`it was not whole after ${totalMs / 1000} s`));
  });
  return (request, user, { closing, onHeld }) => {
    const bodyBytes = mostBodyBytes(user, limits);
    const isTooLong = Number(request.headers["content-length"]) > bodyBytes;
    const problem = isTooLong ? tooLarge(bodyBytes) : coming.check(user);
    if (problem !== undefined) return Promise.reject(problem);
    coming.add(user);
    // The request stays until its answer, and its listeners with it, which would hold the body as long.
    let outcome: PromiseWithResolvers<Buffer> | undefined = Promise.withResolvers<Buffer>();
    const { promise } = outcome;
    const chunks = new ChunkList();
    const pieces = new SmallPieces();
    const held = new HeldBytes(budget, user);
    let bytes = 0;
    const now = performance.now();
    const reception = { startedAt: now, heardAt: now, hasHeard: false, cut: refuse, slot: -1 };
    sweep.add(reception);
    request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
    if (request.readableEnded) onEnd();
    else if (request.destroyed) onGone();
    return promise;

    function onData(chunk: Buffer): void {
      // What still comes after a refusal is thrown away as it comes.
      if (outcome === undefined) return;
      reception.hasHeard = true;
      const isTooLarge = bytes + chunk.length > bodyBytes;
      const refusal = isTooLarge ? tooLarge(bodyBytes) : held.take(chunk.length);
      if (refusal !== undefined) {
        refuse(refusal);
        return;
      }
      bytes += chunk.length;
      if (pieces.add(chunk.length)) {
        refuse(InferenceError.invalid("", "the request's body comes in too many small pieces: send larger ones"));
        // Each piece of what still comes would cost as much again; the answer goes out before.
        setImmediate(() => request.destroy());
      } else chunks.push(chunk);
    }

    function onEnd(): void {
      if (outcome === undefined) return;
      const { resolve } = outcome;
      stop();
      held.holdUntilClosed(bytes, closing);
      onHeld?.(held);
      resolve(chunks.take());
    }

    function onGone(): void {
      if (outcome === undefined) return;
      refuse(new InferenceError(ErrorReason.CANCELED, "the client disconnected before its request was complete"));
    }

    function refuse(error: InferenceError): void {
      const reject = outcome?.reject;
      stop();
      held.end();
      // Its request lives on with this function until the client has read the refusal, which it may never do.
      chunks.clear();
      reject?.(error);
    }

    function stop(): void {
      outcome = undefined;
      sweep.remove(reception);
      coming.remove(user);
    }
  };
}

/** Returns the most bytes that the body of a caller may have, also once it is decompressed. */
export function mostBodyBytes({ feedbackOn }: BodySender, { bodyBytes }: Pick<ReceiveLimits, "bodyBytes">): number {
  return feedbackOn === undefined ? bodyBytes : Math.min(bodyBytes, TOKEN_BODY_BYTES);
}

/** A body that is on its way in. */
interface Reception extends Indexed {
  readonly startedAt: number;
  heardAt: number;
  /** True if something has come since its times were looked at. */
  hasHeard: boolean;
  readonly cut: (error: InferenceError) => void;
}

function tooLarge(bodyBytes: number): InferenceError {
  const message = `the request's body is larger than the ${bodyBytes} bytes that this service accepts`;
  return new InferenceError(ErrorReason.REQUEST_TOO_LARGE, message);
}

function late(problem: string): InferenceError {
  return InferenceError.invalid("", `the request's body did not arrive: ${problem}`);
}
