import { jsonBytes } from "../formats/shared/json-bytes.ts";
import type {
  AnswerContext,
  CountProtocol,
  EmbeddingProtocol,
  EncodedRequest,
  EncodeTarget,
  EventDecoder,
  UpstreamProtocol,
} from "../formats/shared/protocol.ts";
import { readRequestedTerms } from "../formats/shared/read-terms.ts";
import { withThinkTags } from "../formats/shared/think-tags/with-think-tags.ts";
import { isThinkingOff } from "../formats/shared/thinking-switch.ts";
import { withReportedCost } from "../formats/shared/with-reported-cost.ts";
import { withWholeCharacters } from "../formats/shared/with-whole-characters.ts";
import { InferenceError } from "../hub/error.ts";
import type { HubInput } from "../hub/input.ts";
import type { EventSink, TokenCount, Upstream, UpstreamTarget } from "../hub/upstream.ts";
import type { RequestSigner } from "./auth/request-signer.ts";
import { signRequests } from "./auth/sign-requests.ts";
import { beginAnswer, toFailure } from "./begin-answer.ts";
import type { AnswerLimits } from "./check-message.ts";
import type { NetworkPath } from "./connector.ts";
import { EventStream } from "./event-stream.ts";
import { createHttpClient, type HttpAnswer } from "./http.ts";
import type { HttpTimeouts } from "./http-exchange.ts";
import type { HttpExchangeParts, RequestToSend } from "./http-exchange-parts.ts";
import { joinUrl } from "./join-url.ts";
import { type KeyChange, KeyRing, type KeyUse } from "./keys/key-ring.ts";
import { readText } from "./read-answer.ts";
import { RequestBody } from "./request-body.ts";

/** An upstream that is reached over HTTP. */
interface HttpUpstreamOptions {
  /** Name in the configuration. */
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Several keys in place of one, over which calls are spread. */
  readonly apiKeys?: readonly string[] | undefined;
  /** Is told of keys that are refused, or taken again. */
  readonly onKey?: ((change: KeyChange) => void) | undefined;
  /** Header of the key; that of the protocol if absent. */
  readonly keyHeader?: string | undefined;
  /** Signs the requests; absent where a key goes into a header. */
  readonly signer?: RequestSigner | undefined;
  /** Headers of every request beyond the protocol's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The way to it, where that is not the plain one. */
  readonly proxy?: NetworkPath["proxy"];
  readonly tls?: NetworkPath["tls"];
  readonly timeouts: HttpTimeouts;
  readonly limits: AnswerLimits;
  /** True if it is asked for a stream also where the caller wants a whole answer; absent: as the caller asks. */
  readonly ask?: "as-called" | "stream" | undefined;
  /** See EncodeTarget. */
  readonly profile?: EncodeTarget["profile"];
}

/** Creates an upstream that speaks `protocol`. */
export function createHttpUpstream(protocol: UpstreamProtocol, options: HttpUpstreamOptions): Upstream {
  const { signer, proxy, tls } = options;
  const plainClient = createHttpClient(options.timeouts, `upstream '${options.name}'`, { proxy, tls });
  const client = signer === undefined ? plainClient : signRequests(plainClient, signer);
  const urlOf = (path: string): URL => joinUrl(options.baseUrl, path);
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    ...requestHeaders(protocol, options),
  };
  const keys = createKeys(protocol, options);
  const { name, profile, limits } = options;
  const ofServer = { secrets: getSecrets(options), name, profile };
  const parts: HttpExchangeParts = { protocol, client, urlOf, headers, keys, ...ofServer };
  const url = urlOf(protocol.path);
  const { count } = protocol;
  const streamHeaders = { ...headers, accept: "text/event-stream", ...options.headers };
  const takesCacheKeys = profile?.cacheKeys === true;
  const toEncodeTarget = (target: UpstreamTarget): EncodeTarget => {
    const streamed = target.streamed || options.ask === "stream" || profile?.thinksInStreams === true;
    const cacheKey = takesCacheKeys ? target.cacheKey : undefined;
    return { ...target, streamed, profile, cacheKey };
  };
  return {
    name,
    dialect: protocol.dialect,
    takesCacheMarks: protocol.takesCacheMarks === true,
    takesCacheKeys,
    takesFlexTier: profile?.flexTier === true,
    ...(protocol.takesChoices === true && profile?.n !== undefined && { mostChoices: profile.n }),
    fingerprint(input, target) {
      const { body, headers, losses } = protocol.encodeRequest(input, toEncodeTarget(target));
      return JSON.stringify([body, headers, losses, input.dialect === protocol.ownDialect]);
    },
    compacts: protocol.compaction !== undefined,
    ...(keys && { keys }),
    prepare(input, target) {
      const other = otherProtocol(protocol, input, name);
      const encoding = toEncodeTarget(target);
      const streamed = encoding.streamed && other === undefined;
      const { encodeRequest, createEventDecoder, path, modelPath } = other ?? protocol;
      const { read, request } = toSendWithTerms(inTier(encodeRequest(input, encoding), target.serviceTier));
      // All that is held of the input while its answer is waited for.
      const { dialect, maxOutputTokens } = input;
      const own = streamed ? streamHeaders : headers;
      const { traceHeaders, choices } = target;
      const context = { profile, choices, maxOutputTokens, ...read };
      const sent = { headers: traceHeaders === undefined ? own : { ...own, ...traceHeaders }, streamed };
      const ownPath = modelPath?.(target.deployment.model, streamed) ?? path;
      const exchange = {
        ...parts,
        ...sent,
        url: ownPath === protocol.path ? url : urlOf(ownPath),
        createDecoder: (answer: HttpAnswer) =>
          readAsServer(createEventDecoder(dialect, context), context, { answer, seals: dialect !== protocol.dialect }),
        keyUse: keys && getKeyUse(target),
        onSent: target.onSent,
        limits: input.embedding === undefined ? limits : vectorLimits(limits),
      };
      const { losses, optimizations } = request;
      return {
        losses,
        ...(optimizations && { optimizations }),
        send: (sink, signal) => send(exchange, request, { sink, signal }),
      };
    },
    ...(count === undefined ? {} : { prepareCount: prepareCountWith(count, parts, { profile }) }),
    close: () => client.close(),
  };
}

/** The answer of a server, and whether thinking gets an empty seal: its caller speaks another format. */
interface ServerAnswer {
  readonly answer: HttpAnswer;
  readonly seals: boolean;
}

/** Reads an answer by what is known of its server beyond its format. */
function readAsServer(
  decoder: EventDecoder,
  { profile, isThinkingOff }: AnswerContext,
  { answer, seals }: ServerAnswer,
): EventDecoder {
  const whole = withWholeCharacters(decoder);
  const opens = profile?.opensThinking === true && isThinkingOff !== true;
  const read = profile?.thinkTags === true || opens ? withThinkTags(whole, seals, opens) : whole;
  const places = profile?.reportedCosts ?? [];
  return places.length === 0 ? read : withReportedCost(read, places, answer.headers);
}

function createKeys(protocol: UpstreamProtocol, options: HttpUpstreamOptions): KeyRing | undefined {
  const { apiKeys, keyHeader, onKey = () => {} } = options;
  if (apiKeys === undefined) return undefined;
  const headersOf = (apiKey: string) => requestHeaders(protocol, { apiKey, keyHeader, headers: {} });
  return new KeyRing({ secrets: apiKeys, headersOf, onChange: onKey, now: () => performance.now() });
}

function getKeyUse({ deployment, prefixKey }: UpstreamTarget): KeyUse {
  return { model: deployment.model, prefixKey };
}

/**
 * Returns the limits of embeddings, which always come whole: 2,048 vectors of 3,072 numbers have 32 MiB in base64. A
 * vector is one value to whoever sets a limit, and has thousands.
 */
function vectorLimits({ answerBytes }: AnswerLimits): AnswerLimits {
  return { answerBytes, eventBytes: answerBytes, eventValues: answerBytes, wholeLimit: "answerBytes" };
}

/** Returns the headers that every request of an upstream has beside its content's; the configured ones go last. */
export function requestHeaders(
  protocol: Pick<UpstreamProtocol, "headers">,
  { apiKey, keyHeader, headers }: Pick<HttpUpstreamOptions, "apiKey" | "keyHeader" | "headers">,
): Record<string, string> {
  if (keyHeader === undefined) return { ...protocol.headers(apiKey), ...headers };
  const key = apiKey === undefined ? {} : { [keyHeader]: apiKey };
  return { ...protocol.headers(undefined), ...key, ...headers };
}

/**
 * Returns the protocol of what is no generation; undefined for one. Throws INVALID_REQUEST where there is none for it.
 */
function otherProtocol(protocol: UpstreamProtocol, input: HubInput, name: string): EmbeddingProtocol | undefined {
  if (input.embedding === undefined) return input.compact ? protocol.compaction : undefined;
  if (protocol.embeddings !== undefined) return protocol.embeddings;
  throw InferenceError.invalid("model", `the upstream '${name}' makes no embeddings`);
}

/** Shorter values, such as a version, are no secrets, and may be words of any message. */
const MIN_SECRET_LENGTH = 8;

function getSecrets({ apiKey, apiKeys = [], headers = {} }: HttpUpstreamOptions): readonly string[] {
  const values = [...(apiKey === undefined ? [] : [apiKey]), ...apiKeys, ...Object.values(headers)];
  return values.filter((value) => value.length >= MIN_SECRET_LENGTH);
}

function prepareCountWith(
  count: CountProtocol,
  parts: HttpExchangeParts,
  taken: Pick<EncodeTarget, "profile">,
): Required<Upstream>["prepareCount"] {
  return (input, target) => {
    const request = toSend(count.encodeRequest(input, { ...target, ...taken }));
    const keyUse = parts.keys && getKeyUse(target);
    return { losses: request.losses, send: (signal) => sendCount(parts, { count, request, keyUse }, signal) };
  };
}

/** Has a request ask for a tier of service; as its caller asks where none is said. */
function inTier(encoded: EncodedRequest, serviceTier: string | undefined): EncodedRequest {
  return serviceTier === undefined ? encoded : { ...encoded, body: { ...encoded.body, service_tier: serviceTier } };
}

/** Returns a request with what its answer is read by. */
function toSendWithTerms(encoded: EncodedRequest) {
  const { body } = encoded;
  return { read: { terms: readRequestedTerms(body), isThinkingOff: isThinkingOff(body) }, request: toSend(encoded) };
}

function toSend({ body, ...request }: EncodedRequest): RequestToSend {
  return { ...request, body: new RequestBody(jsonBytes(body)) };
}

/** The further parts of one generation. */
interface GenerationParts extends HttpExchangeParts {
  readonly url: URL;
  readonly createDecoder: (answer: HttpAnswer) => EventDecoder;
  readonly limits: AnswerLimits;
  readonly keyUse: KeyUse | undefined;
  readonly onSent: UpstreamTarget["onSent"];
  /** True if a stream is asked for. */
  readonly streamed: boolean;
}

async function send(
  exchange: GenerationParts,
  request: RequestToSend,
  { sink, signal }: { readonly sink: EventSink; readonly signal: AbortSignal },
): Promise<void> {
  const { url, limits, streamed, keyUse, onSent } = exchange;
  const headers = request.headers === undefined ? exchange.headers : { ...exchange.headers, ...request.headers };
  const begun = await beginAnswer(exchange, { url, headers, body: request.body, signal, keyUse, onSent });
  const { answer, facts } = begun;
  try {
    const stream = new EventStream(exchange.createDecoder(answer), answer, { facts, limits, streamed });
    for (let batch = await stream.read(); batch !== undefined; batch = await stream.read()) {
      const lag = batch.events.length > 0 ? sink(batch.events) : undefined;
      if (lag !== undefined) await lag;
      if (batch.failure !== undefined) throw batch.failure;
    }
  } catch (thrown) {
    throw toFailure(exchange, thrown, begun);
  } finally {
    begun.end();
  }
}

/** A count that is asked for. */
interface CountRequest {
  readonly count: CountProtocol;
  readonly request: RequestToSend;
  readonly keyUse: KeyUse | undefined;
}

/** Asks an upstream for the size of a prompt. Throws InferenceError. */
async function sendCount(
  parts: HttpExchangeParts,
  { count, request, keyUse }: CountRequest,
  signal: AbortSignal,
): Promise<TokenCount> {
  const headers = { ...parts.headers, ...request.headers };
  const { body } = request;
  const begun = await beginAnswer(parts, { url: parts.urlOf(count.path), headers, body, signal, keyUse });
  try {
    return { ...count.decodeCount(await readText(begun.answer)), ...begun.facts };
  } catch (thrown) {
    throw toFailure(parts, thrown, begun);
  } finally {
    begun.end();
  }
}
