import type { GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../inference/error.ts";
import type { Upstream } from "../inference/ports.ts";
import { createSseReader } from "../wire/sse.ts";
import { createHttpClient, type HttpAnswer, type HttpClient, type HttpTimeouts } from "./http.ts";
import type { EncodedRequest, UpstreamProtocol } from "./protocol.ts";
import { readRetryAfterMs } from "./retry-after.ts";

/** Most bytes of an error answer that are read. */
const ERROR_BODY_BYTES = 64 * 1024;

/** An upstream that is reached over HTTP. */
export interface HttpUpstreamOptions {
  /** Name in the configuration. */
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Headers of every request beyond the protocol's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly timeouts: HttpTimeouts;
}

/** Creates an upstream that speaks `protocol`. */
export function createHttpUpstream(protocol: UpstreamProtocol, options: HttpUpstreamOptions): Upstream {
  const client = createHttpClient(options.timeouts);
  const url = new URL(options.baseUrl.replace(/\/+$/, "") + protocol.path);
  const headers = {
    "content-type": "application/json",
    accept: "text/event-stream",
    ...protocol.headers(options.apiKey),
    ...options.headers,
  };
  const exchange = { protocol, client, url, headers, name: options.name };
  return {
    name: options.name,
    prepare(input, target) {
      const request = protocol.encodeRequest(input, target);
      return { losses: request.losses, send: (signal) => send(exchange, request, signal) };
    },
    close: () => client.close(),
  };
}

interface Exchange {
  readonly protocol: UpstreamProtocol;
  readonly client: HttpClient;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly name: string;
}

async function* send(
  exchange: Exchange,
  request: EncodedRequest,
  signal: AbortSignal,
): AsyncGenerator<GenerateEvent[]> {
  const { protocol, client, url, name } = exchange;
  const headers = request.headers === undefined ? exchange.headers : { ...exchange.headers, ...request.headers };
  let upstreamRequestId = "";
  let answer: HttpAnswer | undefined;
  try {
    answer = await client.post({ url, headers, body: request.body, signal });
    upstreamRequestId = requestId(protocol, answer);
    if (answer.status < 200 || answer.status > 299) throw await readError(protocol, answer);
    yield* readEvents(protocol, answer, upstreamRequestId);
  } catch (thrown) {
    throw InferenceError.from(thrown).with({ upstream: name, upstreamRequestId });
  } finally {
    answer?.cancel();
  }
}

async function* readEvents(
  protocol: UpstreamProtocol,
  answer: HttpAnswer,
  upstreamRequestId: string,
): AsyncGenerator<GenerateEvent[]> {
  checkContentType(answer);
  const reader = createSseReader();
  const decoder = protocol.createEventDecoder();
  for (;;) {
    const chunks = await readBody(answer);
    const events: GenerateEvent[] = [];
    let failure: InferenceError | undefined;
    try {
      for (const chunk of chunks ?? []) {
        for (const message of reader.read(chunk)) events.push(...decoder.decode(message));
      }
      if (chunks === undefined) events.push(...decoder.close());
    } catch (thrown) {
      failure = InferenceError.from(thrown);
    }
    markRequestId(events, upstreamRequestId);
    // What came before a failure in the same read still reaches the client.
    if (events.length > 0) yield events;
    if (failure !== undefined) throw failure;
    if (chunks === undefined) return;
    if (isFinished(events)) return answer.drain();
  }
}

/** A connection that breaks inside the body is an interrupted stream, not an upstream that cannot be reached. */
async function readBody(answer: HttpAnswer): Promise<Uint8Array[] | undefined> {
  try {
    return await answer.read();
  } catch (thrown) {
    const error = InferenceError.from(thrown);
    if (error.reason !== ErrorReason.UPSTREAM_UNREACHABLE) throw error;
    throw new InferenceError(ErrorReason.STREAM_INTERRUPTED, "the upstream broke off its answer", { cause: error });
  }
}

function isFinished(events: readonly GenerateEvent[]): boolean {
  return events.at(-1)?.event.case === "finished";
}

function markRequestId(events: readonly GenerateEvent[], upstreamRequestId: string): void {
  const first = events[0]?.event;
  if (first?.case !== "started" || upstreamRequestId === "") return;
  const { serving } = first.value;
  if (serving !== undefined) serving.upstreamRequestId = upstreamRequestId;
}

function requestId(protocol: UpstreamProtocol, answer: HttpAnswer): string {
  for (const name of protocol.requestIdHeaders) {
    const value = answer.headers[name];
    if (typeof value === "string") return value;
  }
  return "";
}

function checkContentType(answer: HttpAnswer): void {
  const type = String(answer.headers["content-type"] ?? "");
  if (type === "" || type.startsWith("text/event-stream")) return;
  throw new InferenceError(ErrorReason.UPSTREAM_ERROR, `the upstream answered '${type}' where a stream was asked for`, {
    upstreamStatus: answer.status,
  });
}

async function readError(protocol: UpstreamProtocol, answer: HttpAnswer): Promise<InferenceError> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (
    let chunks = await answer.read();
    chunks !== undefined && bytes < ERROR_BODY_BYTES;
    chunks = await answer.read()
  ) {
    for (const chunk of chunks) bytes += chunk.length;
    parts.push(...chunks);
  }
  const body = Buffer.concat(parts).toString("utf8");
  const retryAfterMs = readRetryAfterMs(answer.headers, Date.now());
  const error = protocol.decodeError({ status: answer.status, headers: answer.headers, body });
  return error.with({ upstreamStatus: answer.status, retryAfterMs });
}
