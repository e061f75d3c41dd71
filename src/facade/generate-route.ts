import type { FastifyReply, FastifyRequest } from "fastify";
import type { GenerateResponse } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { DialectCodec, EventEncoder } from "../formats/shared/codec.ts";
import type { HubInput } from "../hub/input.ts";
import { yieldIfLarge } from "../lib/event-loop-budget.ts";
import { addCallFacts, getCall } from "./admit-request.ts";
import { type AdmittedCall, callFor } from "./client/admitted-call.ts";
import type { RpcClients } from "./client/clients.ts";
import { failAtPlaces } from "./fail.ts";
import { logFailure } from "./log-failure.ts";
import { objectBody } from "./parse-body.ts";
import { readStored } from "./read-stored.ts";
import { announcedBytes, readRequestHeaders } from "./request-headers.ts";
import { sendStream } from "./send-stream.ts";
import { idHeader, servingHeaders, usageHeaders } from "./serving-headers.ts";

/** The options of the routes that generate. */
export interface GenerateOptions {
  readonly clients: RpcClients;
  /** Silence after which a stream's client is told that it is alive. */
  readonly heartbeatMs: number;
  /** Headers beyond the known ones that name a request's session. */
  readonly sessionHeaders: readonly string[];
}

/** Answers a request whose client leaves and comes back for the answer. Throws what the RPC does. */
export type AnswerInBackground = (
  reply: FastifyReply,
  decoded: { readonly input: HubInput; readonly stream: boolean },
  call: AdmittedCall,
) => Promise<FastifyReply>;

/** Creates the handler of a format: decode, call, encode. */
export function createGenerateHandler(
  codec: DialectCodec,
  { clients, heartbeatMs, sessionHeaders }: GenerateOptions,
  answerInBackground?: AnswerInBackground,
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { input, background, encoder, encode } = decode(codec, request, sessionHeaders);
    const spell = (place: string): string => codec.formatFieldPath(place, input);
    const call = getCall(request, reply);
    // Awaited only where there is something to wait for: an iteration of the event loop is not free.
    const turn = yieldIfLarge(announcedBytes(request.headers));
    if (turn !== undefined) await turn;
    const resolving = codec.resolveReferences?.(input, (id) => readStored(clients, id, call));
    if (resolving !== undefined) await resolving;
    if (background && answerInBackground !== undefined) {
      return await answerInBackground(reply, { input, stream: encoder !== undefined }, call).catch(failAtPlaces(spell));
    }
    const asking = callFor(input, call);
    if (encoder === undefined) {
      const response = await clients.inference.generate({ input }, asking).catch(failAtPlaces(spell));
      return reply
        .headers(idHeader(response.id))
        .headers(servingHeaders(response.serving, { request, spell }))
        .headers(usageHeaders(response.finished?.usage))
        .header("content-type", "application/json; charset=utf-8")
        .send(encode(response));
    }
    const failure = await sendStream({
      reply,
      encoder,
      run: (sink) => clients.streamInference({ input }, asking, sink),
      headers: { "x-request-id": request.id, "request-id": request.id },
      heartbeatMs,
      spell,
    });
    if (failure !== undefined) logFailure(request.log, failure, "stream failed");
    return reply;
  };
}

/** A decoded request, with an encoder where a stream is wanted. */
type Decoded = { readonly input: HubInput; readonly background: boolean } & (
  | { readonly encoder: EventEncoder; readonly encode?: undefined }
  | { readonly encoder?: undefined; readonly encode: (response: GenerateResponse) => string }
);

/**
 * Decodes a request. An answer may take an hour: nothing is kept of the body for it but what is asked, and what the
 * answer repeats.
 */
function decode(codec: DialectCodec, request: FastifyRequest, sessionHeaders: readonly string[]): Decoded {
  const { headers } = request;
  const decoded = codec.decodeRequest(objectBody(request.body), headers);
  request.body = undefined;
  const { input, background = false } = decoded;
  Object.assign(input, readRequestHeaders(headers));
  addCallFacts(input, { headers, body: decoded.body }, sessionHeaders);
  const body = input.noTexts ? { ...decoded.body, store: false } : decoded.body;
  if (decoded.stream) return { input, background, encoder: codec.createEventEncoder({ ...decoded, body }) };
  const repeated = { body: codec.echo?.(body) ?? {} };
  return { input, background, encode: (response) => codec.encodeResponse(response, repeated) };
}
