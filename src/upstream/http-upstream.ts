import type { GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../inference/error.ts";
import type { Upstream } from "../inference/ports.ts";
import { createSseReader } from "../wire/sse.ts";
import { createHttpClient, type HttpAnswer, type HttpClient, type HttpTimeouts } from "./http.ts";
import { sendCount } from "./http-count.ts";
import type { CountProtocol, EncodedRequest, UpstreamProtocol } from "./protocol.ts";
import { type AnswerFacts, isSuccess, readError, readHead } from "./read-answer.ts";

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
  const urlOf = (path: string): URL => new URL(options.baseUrl.replace(/\/+$/, "") + path);
  const headers = {
    "content-type": "application/json",
    accept: "text/event-stream",
    ...protocol.headers(options.apiKey),
    ...options.headers,
  };
  const parts: HttpExchangeParts = {
    protocol,
    client,
    urlOf,
    headers,
    secrets: secretsOf(options),
    name: options.name,
  };
  const url = urlOf(protocol.path);
  const { count } = protocol;
  return {
    name: options.name,
    prepare(input, target) {
      const request = protocol.encodeRequest(input, target);
      return { losses: request.losses, send: (signal) => send({ ...parts, url }, request, signal) };
    },
    ...(count === undefined ? {} : { prepareCount: prepareCountWith(count, parts) }),
    close: () => client.close(),
  };
}

/** What all calls of an upstream share. */
export interface HttpExchangeParts {
  readonly protocol: UpstreamProtocol;
  readonly client: HttpClient;
  /** Address of a path below the base URL. */
  readonly urlOf: (path: string) => URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The key and the values of configured headers: an upstream that repeats them in an error must not be repeated. */
  readonly secrets: readonly string[];
  readonly name: string;
}

/** Shorter values, such as a version, are no secrets, and may be words of any message. */
const MIN_SECRET_LENGTH = 8;

function secretsOf({ apiKey, headers = {} }: HttpUpstreamOptions): readonly string[] {
  const values = [...(apiKey === undefined ? [] : [apiKey]), ...Object.values(headers)];
  return values.filter((value) => value.length >= MIN_SECRET_LENGTH);
}

function prepareCountWith(count: CountProtocol, parts: HttpExchangeParts): Required<Upstream>["prepareCount"] {
  return (input, target) => {
    const request = count.encodeRequest(input, target);
    return { losses: request.losses, send: (signal) => sendCount(parts, { count, request }, signal) };
  };
}

async function* send(
  exchange: HttpExchangeParts & { readonly url: URL },
  request: EncodedRequest,
  signal: AbortSignal,
): AsyncGenerator<GenerateEvent[]> {
  const { protocol, client, url, name } = exchange;
  const headers = request.headers === undefined ? exchange.headers : { ...exchange.headers, ...request.headers };
  let facts: AnswerFacts | undefined;
  let answer: HttpAnswer | undefined;
  try {
    answer = await client.post({ url, headers, body: request.body, signal });
    facts = readHead(protocol, answer);
    if (!isSuccess(answer)) throw await readError(protocol, answer);
    yield* readEvents(protocol, answer, facts);
  } catch (thrown) {
    throw InferenceError.from(thrown)
      .without(exchange.secrets)
      .with({ upstream: name, ...facts });
  } finally {
    answer?.cancel();
  }
}

async function* readEvents(
  protocol: UpstreamProtocol,
  answer: HttpAnswer,
  facts: AnswerFacts,
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
    markFacts(events, facts);
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

function markFacts(events: readonly GenerateEvent[], { upstreamRequestId, upstreamHeaders }: AnswerFacts): void {
  const first = events[0]?.event;
  const serving = first?.case === "started" ? first.value.serving : undefined;
  if (serving === undefined) return;
  if (upstreamRequestId !== "") serving.upstreamRequestId = upstreamRequestId;
  serving.upstreamHeaders = { ...upstreamHeaders };
}

function checkContentType(answer: HttpAnswer): void {
  const type = String(answer.headers["content-type"] ?? "");
  if (type === "" || type.startsWith("text/event-stream")) return;
  throw new InferenceError(ErrorReason.UPSTREAM_ERROR, `the upstream answered '${type}' where a stream was asked for`, {
    upstreamStatus: answer.status,
  });
}
