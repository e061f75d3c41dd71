import { setImmediate as turn } from "node:timers/promises";
import { chatCodec } from "../../../src/formats/chat/codec.ts";
import { openaiChatProtocol } from "../../../src/formats/chat/protocol.ts";
import { messagesCodec } from "../../../src/formats/messages/codec.ts";
import { anthropicMessagesProtocol } from "../../../src/formats/messages/protocol.ts";
import { responsesCodec } from "../../../src/formats/responses/codec.ts";
import { openaiResponsesProtocol } from "../../../src/formats/responses/protocol.ts";
import type { DecodedRequest, DialectCodec } from "../../../src/formats/shared/codec.ts";
import type { UpstreamProtocol } from "../../../src/formats/shared/protocol.ts";
import type { HubInput } from "../../../src/hub/input.ts";
import type { EventSink, Upstream } from "../../../src/hub/upstream.ts";
import { InFlight } from "../../../src/inference/run/in-flight.ts";
import { createInferenceService, type InferenceService } from "../../../src/inference/run/service.ts";
import { EventStream } from "../../../src/upstream/event-stream.ts";
import type { HttpAnswer } from "../../../src/upstream/http.ts";
import { bodyOf, FORMATS, type Format } from "../../support/sdk-calls.ts";
import { noConversations } from "../../support/stub-conversations.ts";
import {
  NO_BACKGROUND,
  stubArchive,
  stubModel,
  stubPlan,
  stubRecorder,
  stubRouter,
} from "../../support/stub-upstream.ts";
import { TEST_KEY } from "../../support/test-signer.ts";
import type { UpstreamKind } from "../../support/upstream-frames.ts";

const PROTOCOLS: Record<UpstreamKind, UpstreamProtocol> = {
  chat: openaiChatProtocol,
  responses: openaiResponsesProtocol,
  messages: anthropicMessagesProtocol,
};

const CODECS: Record<Format, DialectCodec> = { chat: chatCodec, responses: responsesCodec, messages: messagesCodec };

const REQUESTS = Object.fromEntries(
  FORMATS.map((format) => [format, CODECS[format].decodeRequest(bodyOf(format, "attune/m"))]),
) as Record<Format, DecodedRequest>;

const OPENING_BRACE = 0x7b;

/** Bytes that one read of a socket brings at most. */
const READ_BYTES = 64 * 1024;

/**
 * Takes an upstream's answer the whole way, without a network: read, decode, check, fold, record, and write it to a
 * caller of `format`, as a stream and whole. A body that is a JSON object is a whole answer. Throws what the caller
 * would be told.
 */
export async function serveAnswer(kind: UpstreamKind, format: Format, body: Buffer): Promise<void> {
  await streamTo(format, serviceOf(kind, body));
  const response = await serviceOf(kind, body).generate(REQUESTS[format].input, CALLER);
  CODECS[format].encodeResponse(response, REQUESTS[format]);
}

const CALLER = { principal: { keyId: "k", projectId: "p" }, signal: new AbortController().signal };

async function streamTo(format: Format, service: InferenceService): Promise<void> {
  const request = REQUESTS[format];
  const encoder = CODECS[format].createEventEncoder(request);
  await service.stream(request.input, CALLER, (events) => void Buffer.from(encoder.encode(events)));
}

function serviceOf(kind: UpstreamKind, body: Buffer): InferenceService {
  const upstream: Upstream = {
    name: "up",
    prepare: (input) => ({ losses: [], send: (sink) => send(PROTOCOLS[kind], { input, body }, sink) }),
  };
  const { strategy } = stubPlan(upstream);
  const model = { ...stubModel, maxOutputTokens: 1_000_000_000 };
  return createInferenceService({
    conversations: noConversations,
    estimateTokens: async () => 1,
    signingKey: TEST_KEY,
    router: stubRouter({ model, strategy, optimizations: [] }),
    recorder: stubRecorder(),
    inFlight: new InFlight(),
    archive: stubArchive(),
    background: NO_BACKGROUND,
    validate: () => {},
  });
}

async function send(
  protocol: UpstreamProtocol,
  { input, body }: { readonly input: HubInput; readonly body: Buffer },
  sink: EventSink,
): Promise<void> {
  const stream = new EventStream(protocol.createEventDecoder(input.dialect), answerOf(body), {
    facts: { upstreamRequestId: "", upstreamHeaders: {} },
    limits: { eventBytes: 2 ** 24, eventValues: 250_000, answerBytes: 2 ** 26 },
    streamed: true,
  });
  for (let batch = await stream.read(); batch !== undefined; batch = await stream.read()) {
    if (batch.events.length > 0) await sink(batch.events);
    if (batch.failure !== undefined) throw batch.failure;
  }
}

function answerOf(body: Buffer): HttpAnswer {
  let at = 0;
  const type = body[0] === OPENING_BRACE ? "application/json" : "text/event-stream";
  return {
    status: 200,
    headers: { "content-type": type },
    read: async () => {
      await turn();
      if (at >= body.length) return undefined;
      at += READ_BYTES;
      return [body.subarray(at - READ_BYTES, at)];
    },
    cancel: () => {},
    drain: () => {},
  };
}
