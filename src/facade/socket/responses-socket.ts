import type { WebSocket } from "@fastify/websocket";
import type { FastifyRequest } from "fastify";
import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { Admission, Admit } from "../../admission/admission.ts";
import { encodeWarmUp } from "../../formats/responses/answer/encode-warm-up.ts";
import { responsesCodec } from "../../formats/responses/codec.ts";
import type { DecodedRequest, EventEncoder } from "../../formats/shared/codec.ts";
import { encodeOpenAiError } from "../../formats/shared/encode-openai-error.ts";
import { isJsonObject, type JsonObject } from "../../formats/shared/json.ts";
import type { CapacityUser } from "../../hub/capacity.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { newId } from "../../lib/ids.ts";
import { admittedCall, callFor } from "../client/admitted-call.ts";
import type { RpcClients } from "../client/clients.ts";
import { toInferenceError } from "../fail.ts";
import { logFailure } from "../log-failure.ts";
import { type JsonLimits, objectBody, parseBody } from "../parse-body.ts";
import { readStored } from "../read-stored.ts";
import { keyHeaders, readRequestHeaders } from "../request-headers.ts";
import { listLosses, servingHeaders } from "../serving-headers.ts";
import { type ConversationState, itemsOf, withSaid } from "./conversation.ts";
import { framesOf, withMember } from "./event-frames.ts";
import { closeSocket, type HubMember } from "./socket-hub.ts";

/** The options of a connection. */
export interface SocketOptions {
  readonly clients: RpcClients;
  readonly admit: Admit;
  readonly limits: JsonLimits & { readonly bodyBytes: number };
}

/** Frames that may wait for the response before them. */
const MOST_WAITING = 16;

/** Bytes that may wait for the client before the upstream is read no further. */
const HIGH_WATER_BYTES = 65_536;

/** Members that belong to the transport: this one always streams, and never leaves the client. */
const TRANSPORT = new Set(["type", "stream", "background", "generate"]);

/**
 * One WebSocket connection of /v1/responses: requests come as frames, and are answered one after another with the
 * events of a stream.
 */
export class ResponsesSocket implements HubMember {
  readonly socket: WebSocket;
  readonly user: CapacityUser;
  readonly #request: FastifyRequest;
  readonly #options: SocketOptions;
  readonly #left = new AbortController();
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #isBusy = false;
  #retiring: "age" | "ending" | undefined;
  #said: ConversationState | undefined;

  constructor(socket: WebSocket, request: FastifyRequest, admission: Admission, options: SocketOptions) {
    this.socket = socket;
    this.user = admission.principal;
    this.#request = request;
    this.#options = options;
    socket.on("message", (data: Buffer, isBinary: boolean) => this.#take(data, isBinary));
    socket.once("close", () => {
      this.#waiting.length = 0;
      this.#left.abort();
    });
  }

  retire(reason: "age" | "ending"): void {
    this.#retiring ??= reason;
    if (!this.#isBusy) this.#close();
  }

  #take(data: Buffer, isBinary: boolean): void {
    if (this.#retiring !== undefined) return;
    const bytes = this.#waitingBytes + data.length;
    const isFull = this.#waiting.length > 0 && bytes > this.#options.limits.bodyBytes;
    if (isBinary) this.#refuse(InferenceError.invalid("", "send requests as text frames of JSON"));
    else if (isFull || this.#waiting.length >= MOST_WAITING) {
      const message = "too many requests wait on this connection: wait for their responses, or open another connection";
      this.#refuse(new InferenceError(ErrorReason.RATE_LIMITED, message));
    } else {
      this.#waiting.push(data);
      this.#waitingBytes = bytes;
      if (!this.#isBusy) void this.#answerAll();
    }
  }

  /** Answers what waits, one request after another. */
  async #answerAll(): Promise<void> {
    this.#isBusy = true;
    for (let data = this.#waiting.shift(); data !== undefined; data = this.#waiting.shift()) {
      this.#waitingBytes -= data.length;
      try {
        await this.#answer(data);
      } catch (thrown) {
        const error = toInferenceError(thrown);
        // What a response went on with is not gone on with after a failure: its client sends all of it again.
        this.#said = undefined;
        if (error.reason !== ErrorReason.CANCELED) this.#refuse(error);
        if (error.reason === ErrorReason.UNAUTHENTICATED) closeSocket(this.socket, 1008, "the API key is not valid");
      }
      if (this.#retiring !== undefined) break;
    }
    this.#isBusy = false;
    if (this.#retiring !== undefined) this.#close();
  }

  async #answer(data: Buffer): Promise<void> {
    const { limits, admit } = this.#options;
    const frame = objectBody(await parseBody(data, limits));
    checkFrame(frame);
    const { headers } = this.#request;
    const { authorization, "x-api-key": apiKey } = headers;
    // A connection lives for long: its key may have been revoked.
    const admission = await admit({ authorization, apiKey: typeof apiKey === "string" ? apiKey : undefined });
    const call = admittedCall(admission, { headers: keyHeaders(headers), signal: this.#left.signal });
    const body = Object.fromEntries(Object.entries(frame).filter(([name]) => !TRANSPORT.has(name)));
    const asked = withSaid(body, this.#said);
    const decoded = responsesCodec.decodeRequest(asked);
    const { input } = decoded;
    Object.assign(input, readRequestHeaders(headers));
    const spell = (place: string): string => responsesCodec.formatFieldPath(place, input);
    await responsesCodec.resolveReferences?.(input, (id) => readStored(this.#options.clients, id, call));
    const goesOn = asked === body ? 0 : (this.#said?.bytes ?? 0);
    const said = { items: itemsOf(asked.input) ?? [], bytes: goesOn + data.length };
    if (frame.generate === false) {
      this.#warmUp({ input, stream: true, body }, said);
      return;
    }
    const encoder = responsesCodec.createEventEncoder({ input, stream: true, body });
    const answer = new SocketAnswer(this.socket, this.#request, encoder, spell);
    try {
      await this.#options.clients.streamInference({ input }, callFor(input, call), (events) => answer.take(events));
      this.#keep(answer, said, body.store !== false);
    } catch (thrown) {
      const error = toInferenceError(thrown).atPlaces(spell);
      if (!answer.hasBegun || error.reason === ErrorReason.CANCELED) throw error;
      this.#said = undefined;
      answer.fail(error);
      logFailure(this.#request.log, error, "stream failed");
    }
  }

  /** Takes note of what is asked, without an answer: the client goes on from there. */
  #warmUp(request: DecodedRequest, said: Omit<ConversationState, "id">): void {
    const id = newId();
    for (const frame of framesOf(encodeWarmUp(id, request, Math.floor(Date.now() / 1000)))) this.socket.send(frame);
    this.#said = { id, ...said };
  }

  /** Keeps what was said where the store does not, as far as it is no larger than a request may be. */
  #keep(
    { response, endBytes }: SocketAnswer,
    { items, bytes }: Omit<ConversationState, "id">,
    isStored: boolean,
  ): void {
    const { id, output } = response ?? {};
    const isKept = !isStored && bytes + endBytes <= this.#options.limits.bodyBytes;
    if (!isKept || typeof id !== "string" || !Array.isArray(output)) this.#said = undefined;
    else this.#said = { id, items: [...items, ...output], bytes: bytes + endBytes };
  }

  #refuse(thrown: InferenceError): void {
    const { status, body } = encodeOpenAiError(thrown, this.#request.id);
    this.#send(JSON.stringify({ type: "error", status, ...body }));
  }

  #close(): void {
    if (this.#retiring === "ending") {
      closeSocket(this.socket, 1001, "the service ends: connect again");
      return;
    }
    const message = "the connection has been open for as long as it may be: open another one and go on there";
    const error = { type: "invalid_request_error", code: "websocket_connection_limit_reached", message, param: null };
    this.#send(JSON.stringify({ type: "error", status: 400, error }));
    closeSocket(this.socket, 1000, "open another connection");
  }

  #send(text: string): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(text);
  }
}

function checkFrame({ type, stream_id }: JsonObject): void {
  if (type !== "response.create") {
    throw InferenceError.invalid("type", "must be 'response.create', the only request of this connection");
  }
  if (stream_id === undefined || stream_id === null) return;
  throw InferenceError.invalid("stream_id", "a connection makes one response at a time: open a connection for each");
}

/** One answer on its way through a connection. */
class SocketAnswer {
  readonly #socket: WebSocket;
  readonly #request: FastifyRequest;
  readonly #encoder: EventEncoder;
  readonly #spell: (place: string) => string;
  #hasBegun = false;
  /** The Response that ended it, and the size of its event. */
  response: JsonObject | undefined;
  endBytes = 0;

  constructor(socket: WebSocket, request: FastifyRequest, encoder: EventEncoder, spell: (place: string) => string) {
    this.#socket = socket;
    this.#request = request;
    this.#encoder = encoder;
    this.#spell = spell;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Sends a batch. What the headers of an answer over HTTP say stands in its first event, and in its last. */
  take(events: readonly GenerateEvent[]): void | Promise<void> {
    const frames = framesOf(this.#encoder.encode(events));
    const [first] = frames;
    const begin = events[0]?.event;
    if (begin?.case === "started" && first !== undefined) {
      const facts = { request: this.#request, spell: this.#spell };
      frames[0] = withMember(first, "headers", servingHeaders(begin.value.serving, facts));
    }
    const end = events.at(-1)?.event;
    const last = frames.at(-1);
    if (end?.case === "finished" && last !== undefined) {
      const { response }: { response?: unknown } = JSON.parse(last);
      this.response = isJsonObject(response) ? response : undefined;
      this.endBytes = last.length;
      const losses = listLosses(end.value.translationLosses, this.#spell);
      if (losses !== "") frames[frames.length - 1] = withMember(last, "headers", { "attune-translation-loss": losses });
    }
    return this.#send(frames);
  }

  /** Tells of a failure in the middle. */
  fail(error: InferenceError): void {
    void this.#send(framesOf(this.#encoder.fail(error, this.#request.id)));
  }

  /** Sends frames. Where the client lags, it resolves when they were taken, or the client has gone. */
  #send(frames: readonly string[]): void | Promise<void> {
    if (frames.length === 0 || this.#socket.readyState !== this.#socket.OPEN) return;
    this.#hasBegun = true;
    for (const frame of frames.slice(0, -1)) this.#socket.send(frame);
    const last = frames.at(-1) ?? "";
    if (this.#socket.bufferedAmount + last.length <= HIGH_WATER_BYTES) {
      this.#socket.send(last);
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#socket.once("close", resolve);
    this.#socket.send(last, () => {
      this.#socket.off("close", resolve);
      resolve();
    });
    return promise;
  }
}
