import type { FastifyReply } from "fastify";
import type { GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { EventEncoder } from "../formats/shared/codec.ts";
import { sseComment } from "../formats/shared/sse.ts";
import { ErrorReason, type InferenceError } from "../hub/error.ts";
import { toInferenceError } from "./fail.ts";
import { endHeaders, idHeader, servingHeaders } from "./serving-headers.ts";
import { untilTaken } from "./until-taken.ts";

/** One answer on its way to one client. */
interface StreamAnswer {
  readonly reply: FastifyReply;
  readonly encoder: EventEncoder;
  /** Hands the events to the sink, and resolves at their end. */
  readonly run: (sink: (events: GenerateEvent[]) => void | Promise<void>) => Promise<void>;
  /** Headers of the answer that are known before its first event. */
  readonly headers: Readonly<Record<string, string>>;
  /** Silence after which the client is told that the stream is alive. */
  readonly heartbeatMs: number;
  /** Spells a place of what was asked as the client wrote it. */
  readonly spell: (place: string) => string;
  /** True if the client is told that the answer was cancelled: it may have been by others. */
  readonly tellsCancel?: boolean;
}

/**
 * Writes a stream as it comes. Throws if it fails before the first byte is out; later failures are told inside the
 * stream, and returned for the log. One batch of events is one write; a slow client stops the reading of the upstream.
 */
export async function sendStream(answer: StreamAnswer): Promise<InferenceError | undefined> {
  const { encoder } = answer;
  const { raw } = answer.reply;
  const heartbeat = startHeartbeat(answer.heartbeatMs, () => {
    if (raw.writableNeedDrain) return;
    open(answer, undefined);
    raw.write(encoder.heartbeat());
  });
  const write = (text: string): boolean => {
    heartbeat.touch();
    return raw.write(text);
  };
  const take = (events: GenerateEvent[]): void | Promise<void> => {
    const late = open(answer, events);
    const text = late + encode(answer, events);
    if (text !== "") return write(text) ? undefined : untilTaken(raw);
    // The format says nothing before the first block, which may be long in coming; the headers would wait for it.
    if (events[0]?.event.case === "started") raw.flushHeaders();
  };
  try {
    await answer.run(take);
    raw.end();
    return undefined;
  } catch (thrown) {
    const error = toInferenceError(thrown).atPlaces(answer.spell);
    if (!raw.headersSent) throw error;
    if (error.reason !== ErrorReason.CANCELED || (answer.tellsCancel && !raw.destroyed))
      write(encoder.fail(error, answer.reply.request.id));
    raw.end();
    return error;
  } finally {
    heartbeat.stop();
  }
}

/**
 * Encodes a batch. What the format cannot say of the answer is told in comments before the end, which clients skip.
 */
function encode({ encoder, spell }: StreamAnswer, events: readonly GenerateEvent[]): string {
  const last = events.at(-1)?.event;
  const lateHeaders = last?.case === "finished" ? Object.entries(endHeaders(last.value, spell)) : [];
  if (lateHeaders.length === 0) return encoder.encode(events);
  const comments = lateHeaders.map(([name, value]) => sseComment(`${name}: ${value}`)).join("");
  return encoder.encode(events.slice(0, -1)) + comments + encoder.encode(events.slice(-1));
}

/**
 * Sends status and headers, once; they go out together with the first write. Where they went out before anybody had
 * begun to answer, returns the headers that were missing, as a comment.
 */
function open({ reply, headers, spell }: StreamAnswer, events: readonly GenerateEvent[] | undefined): string {
  const first = events?.[0]?.event;
  const { id, serving } = first?.case === "started" ? first.value : {};
  if (reply.raw.headersSent) {
    const missing = { ...idHeader(id), ...servingHeaders(serving, { request: reply.request, spell }) };
    return Object.entries(missing)
      .map(([name, value]) => sseComment(`${name}: ${value}`))
      .join("");
  }
  // Until here a failure is an ordinary answer of Fastify; from here on the stream is ours.
  reply.hijack();
  reply.raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    // Written past Fastify, which has it for all other answers.
    "x-content-type-options": "nosniff",
    // Tells reverse proxies of the nginx family not to collect the stream.
    "x-accel-buffering": "no",
    ...headers,
    ...idHeader(id),
    ...servingHeaders(serving, { request: reply.request, spell }),
  });
  return "";
}

/** Watches a stream for silence. */
interface Heartbeat {
  /** Something was written: silence begins anew. */
  touch(): void;
  stop(): void;
}

/** Calls `beat` whenever `silenceMs` have passed without a touch, and again after as long; a beat is none by itself. */
export function startHeartbeat(silenceMs: number, beat: () => void): Heartbeat {
  let sinceMs = performance.now();
  let timer = setTimeout(check, silenceMs);

  // One timer that is set anew when it fires: moving it with each write would cost each write.
  function check(): void {
    const leftMs = silenceMs - (performance.now() - sinceMs);
    if (leftMs <= 0) {
      sinceMs = performance.now();
      beat();
    }
    timer = setTimeout(check, leftMs <= 0 ? silenceMs : Math.ceil(leftMs));
  }

  return {
    touch() {
      sinceMs = performance.now();
    },
    stop: () => clearTimeout(timer),
  };
}
