import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import type { GenerateEvent, StreamGenerateResponse } from "../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, type InferenceError } from "../inference/error.ts";
import type { EventEncoder } from "./codec.ts";
import { toInferenceError } from "./fail.ts";
import { servingHeaders } from "./serving-headers.ts";

/** One answer on its way to one client. */
export interface StreamAnswer {
  readonly reply: FastifyReply;
  readonly encoder: EventEncoder;
  readonly events: AsyncIterable<StreamGenerateResponse>;
  /** Headers of the answer that are known before its first event. */
  readonly headers: Readonly<Record<string, string>>;
  /** Silence after which the client is told that the stream is alive. */
  readonly heartbeatMs: number;
}

/**
 * Writes a stream as it comes. Throws if it fails before the first byte is out; later failures are told inside the stream,
 * and returned for the log. One batch of events is one write; a slow client stops the reading of the upstream.
 */
export async function sendStream(answer: StreamAnswer): Promise<InferenceError | undefined> {
  const { encoder } = answer;
  const { raw } = answer.reply;
  let lastWriteMs = performance.now();
  const write = (text: string): boolean => {
    lastWriteMs = performance.now();
    return raw.write(text);
  };
  const heartbeat = setInterval(() => {
    if (performance.now() - lastWriteMs < answer.heartbeatMs || raw.writableNeedDrain) return;
    open(answer, undefined);
    write(encoder.heartbeat());
  }, answer.heartbeatMs);
  try {
    for await (const { events } of answer.events) {
      open(answer, events);
      const text = encoder.encode(events);
      if (text !== "" && !write(text)) await writable(raw);
    }
    raw.end();
    return undefined;
  } catch (thrown) {
    const error = toInferenceError(thrown);
    if (!raw.headersSent) throw error;
    if (error.reason !== ErrorReason.CANCELED) write(encoder.fail(error, answer.reply.request.id));
    raw.end();
    return error;
  } finally {
    clearInterval(heartbeat);
  }
}

/** Sends status and headers, once. They go out together with the first write. */
function open({ reply, headers }: StreamAnswer, events: readonly GenerateEvent[] | undefined): void {
  if (reply.raw.headersSent) return;
  const first = events?.[0]?.event;
  const serving = first?.case === "started" ? first.value.serving : undefined;
  // Until here a failure is an ordinary answer of Fastify; from here on the stream is ours.
  reply.hijack();
  reply.raw.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    // Tells reverse proxies of the nginx family not to collect the stream.
    "x-accel-buffering": "no",
    ...headers,
    ...servingHeaders(serving, reply.request),
  });
}

/** Resolves when the client has taken what was written, or has gone. */
function writable(raw: ServerResponse): Promise<void> {
  if (raw.destroyed || !raw.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      raw.off("drain", done);
      raw.off("close", done);
      resolve();
    };
    raw.on("drain", done);
    raw.on("close", done);
  });
}
