import type { WebSocket } from "@fastify/websocket";
import type { FastifyRequest } from "fastify";
import type { Admission, Admit } from "../../admission/admission.ts";
import type { NoteFailedCall } from "../../admission/refused-calls.ts";
import { encodeWarmUp } from "../../formats/responses/answer/encode-warm-up.ts";
import { responsesCodec } from "../../formats/responses/codec.ts";
import type { DecodedRequest } from "../../formats/shared/codec.ts";
import { encodeOpenAiError } from "../../formats/shared/encode-openai-error.ts";
import type { JsonObject } from "../../formats/shared/json.ts";
import type { Capacity, CapacityUser } from "../../hub/capacity.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { OpenSummary, RequestSummary } from "../../hub/request-summary.ts";
import { EventLoopBudget } from "../../lib/event-loop-budget.ts";
import { newId } from "../../lib/ids.ts";
import { addCallFacts } from "../admit-request.ts";
import { admittedCall, callFor } from "../client/admitted-call.ts";
import type { RpcClients } from "../client/clients.ts";
import { toInferenceError } from "../fail.ts";
import { logFailure } from "../log-failure.ts";
import { type JsonLimits, objectBody, parseBody } from "../parse-body.ts";
import { readStored } from "../read-stored.ts";
import { keyHeaders, readRequestHeaders } from "../request-headers.ts";
import { untilTaken } from "../until-taken.ts";
import { Conversation, readItems } from "./conversation.ts";
import { encodeFrames } from "./event-frames.ts";
import { type ByteCount, FrameIntake } from "./frame-intake.ts";
import { SocketAnswer } from "./socket-answer.ts";
import { closeSocket, type HubMember } from "./socket-hub.ts";
import { readSteering, steeringFailed } from "./steering.ts";

/** The options of a connection. */
export interface SocketOptions {
  readonly clients: RpcClients;
  readonly admit: Admit;
  /** Hears of requests that fail. */
  readonly noteFailed: NoteFailedCall;
  readonly openSummary: OpenSummary;
  readonly limits: JsonLimits & { readonly bodyBytes: number };
  /** Headers beyond the known ones that name a request's session. */
  readonly sessionHeaders: readonly string[];
  /** Counts the bytes of frames, with those of bodies. */
  readonly receiving: Capacity;
  /** Counts the bytes of conversations that connections remember. */
  readonly remembering: Capacity;
}

/** Answers that begin in one iteration of the event loop, as many as requests over HTTP. */
const PER_ITERATION = 32;

/** Of all connections: to answer frames that are refused takes no wait, in which other work would run. */
const answering = new EventLoopBudget(undefined, undefined, PER_ITERATION);

/** Frames that may wait for the response before them. */
const MOST_WAITING = 16;

/** A request that waits. */
interface Frame {
  readonly data: Buffer;
  readonly isBinary: boolean;
}

/** Memory that a frame takes beside its bytes while it waits. */
const FRAME_BYTES = 256;

/** The route of a request on a connection. */
const ROUTE = "WebSocket /v1/responses";

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
  readonly #waiting: Frame[] = [];
  #waitingBytes = 0;
  #isBusy = false;
  #retiring: "age" | "ending" | undefined;
  readonly #conversation: Conversation;
  readonly #intake: FrameIntake;

  constructor(socket: WebSocket, request: FastifyRequest, admission: Admission, options: SocketOptions) {
    this.socket = socket;
    this.user = admission.principal;
    this.#request = request;
    this.#options = options;
    const { receiving, remembering, limits } = options;
    this.#conversation = new Conversation(this.#countIn(remembering), limits.bodyBytes);
    this.#intake = new FrameIntake(socket, request.raw.socket, this.#countIn(receiving), (error) => this.#end(error));
    socket.on("message", (data: Buffer, isBinary: boolean) => this.#take({ data, isBinary }));
    socket.once("close", () => {
      for (const frame of this.#waiting.splice(0)) this.#release(frame);
      this.#conversation.forget();
      this.#left.abort();
    });
  }

  get arrivingSinceMs(): number | undefined {
    return this.#intake.arrivingSinceMs;
  }

  retire(reason: "age" | "ending"): void {
    this.#retiring ??= reason;
    if (!this.#isBusy) this.#close();
  }

  #countIn(capacity: Capacity): ByteCount {
    return {
      take: (bytes) => {
        const refusal = capacity.check(this.user, bytes);
        capacity.add(this.user, bytes);
        return refusal;
      },
      giveBack: (bytes) => capacity.remove(this.user, bytes),
    };
  }

  #take(frame: Frame): void {
    if (this.#retiring !== undefined) return;
    const steering = readSteering(frame.data);
    if (steering !== undefined) {
      this.#send(steeringFailed(steering));
      return;
    }
    const bytes = this.#waitingBytes + frame.data.length;
    const isFull = this.#waiting.length > 0 && bytes > this.#options.limits.bodyBytes;
    if (isFull || this.#waiting.length >= MOST_WAITING) {
      const message = "too many requests wait on this connection: wait for their responses, or open another connection";
      this.#refuse(new InferenceError(ErrorReason.RATE_LIMITED, message), this.#openSummary());
    } else {
      const refusal = this.#push(frame);
      if (refusal !== undefined) this.#refuse(refusal, this.#openSummary());
      else if (!this.#isBusy) void this.#answerAll();
    }
  }

  #push(frame: Frame): InferenceError | undefined {
    const bytes = frame.data.length + FRAME_BYTES;
    const refusal = this.#options.receiving.check(this.user, bytes);
    if (refusal !== undefined) return refusal;
    this.#options.receiving.add(this.user, bytes);
    this.#waiting.push(frame);
    this.#waitingBytes += frame.data.length;
    return undefined;
  }

  #shift(): Frame | undefined {
    const frame = this.#waiting.shift();
    this.#waitingBytes -= frame?.data.length ?? 0;
    return frame;
  }

  #release({ data }: Frame): void {
    this.#options.receiving.remove(this.user, data.length + FRAME_BYTES);
  }

  /**
   * Answers what waits, one request after another; none is begun while the client does not take the answer before it.
   */
  async #answerAll(): Promise<void> {
    this.#isBusy = true;
    for (let frame = this.#shift(); frame !== undefined; frame = this.#shift()) {
      await answering.acquire();
      const summary = this.#openSummary();
      try {
        await this.#answer(frame, summary);
        summary.end(200);
      } catch (thrown) {
        const error = toInferenceError(thrown);
        // What a response went on with is not gone on with after a failure: its client sends all of it again.
        this.#conversation.forget();
        if (error.reason !== ErrorReason.CANCELED) {
          this.#options.noteFailed(error, { call: ROUTE, principal: this.user });
          this.#refuse(error, summary);
        } else summary.end(undefined, false);
        if (error.reason === ErrorReason.UNAUTHENTICATED) closeSocket(this.socket, 1008, "the API key is not valid");
      } finally {
        this.#release(frame);
      }
      if (this.#retiring !== undefined) break;
      await untilTaken(this.#request.raw.socket);
    }
    this.#isBusy = false;
    if (this.#retiring !== undefined) this.#close();
  }

  #openSummary(): RequestSummary {
    const { id, headers } = this.#request;
    const summary = this.#options.openSummary({ requestId: id, route: ROUTE, headers });
    summary.principal = this.user;
    return summary;
  }

  async #answer({ data, isBinary }: Frame, summary: RequestSummary): Promise<void> {
    const { limits, admit } = this.#options;
    if (isBinary) throw InferenceError.invalid("", "send requests as text frames of JSON");
    const frame = objectBody(await parseBody(data, limits));
    checkFrame(frame);
    const { headers } = this.#request;
    const { authorization, "x-api-key": apiKey } = headers;
    // A connection lives for long: its key may have been revoked.
    const admission = await admit({ authorization, apiKey: typeof apiKey === "string" ? apiKey : undefined });
    const call = admittedCall({ admission, summary }, { headers: keyHeaders(headers), signal: this.#left.signal });
    const settings = readRequestHeaders(headers);
    const body = Object.fromEntries(Object.entries(frame).filter(([name]) => !TRANSPORT.has(name)));
    if (settings.noTexts === true) body["store"] = false;
    const continued = this.#conversation.continueIn(body);
    const decoded = responsesCodec.decodeRequest(continued);
    const { input } = decoded;
    Object.assign(input, settings);
    addCallFacts(input, { headers, body: continued }, this.#options.sessionHeaders);
    const spell = (place: string): string => responsesCodec.formatFieldPath(place, input);
    await responsesCodec.resolveReferences?.(input, (id) => readStored(this.#options.clients, id, call));
    const items = readItems(continued.input) ?? [];
    if (frame.generate === false) {
      await this.#warmUp({ input, stream: true, body }, items);
      return;
    }
    const encoder = responsesCodec.createEventEncoder({ input, stream: true, body });
    const answer = new SocketAnswer(this.socket, this.#request, encoder, spell);
    try {
      await this.#options.clients.streamInference({ input }, callFor(input, call), (events) => answer.take(events));
      this.#keep(answer, items, body.store !== false);
    } catch (thrown) {
      const error = toInferenceError(thrown).atPlaces(spell);
      if (!answer.hasBegun || error.reason === ErrorReason.CANCELED) throw error;
      this.#conversation.forget();
      answer.fail(error);
      logFailure(this.#request.log, error, "stream failed");
    }
  }

  /** Takes note of what is asked, without an answer: the client goes on from there. */
  async #warmUp(request: DecodedRequest, items: readonly unknown[]): Promise<void> {
    const id = newId();
    for (const event of encodeWarmUp(id, request, Math.floor(Date.now() / 1000))) {
      for (const frame of encodeFrames(event)) this.#send(frame);
      await untilTaken(this.#request.raw.socket);
    }
    this.#conversation.keep(id, items);
  }

  /** Keeps what was said where the store does not. */
  #keep({ response }: SocketAnswer, items: readonly unknown[], isStored: boolean): void {
    const { id, output } = response ?? {};
    if (isStored || typeof id !== "string" || !Array.isArray(output)) this.#conversation.forget();
    else this.#conversation.keep(id, [...items, ...output]);
  }

  #refuse(thrown: InferenceError, summary: RequestSummary): void {
    const { status, body } = encodeOpenAiError(thrown, this.#request.id);
    summary.fail(thrown);
    summary.end(status);
    this.#send(JSON.stringify({ type: "error", status, ...body }));
  }

  /** Refuses what is not read to its end: nothing can come after it. */
  #end(error: InferenceError): void {
    this.#refuse(error, this.#openSummary());
    closeSocket(this.socket, 1013, "try again later");
  }

  #close(): void {
    if (this.#retiring === "ending") {
      closeSocket(this.socket, 1001, "the service is stopping: connect again");
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
    throw InferenceError.invalid("type", "must be 'response.create' or 'response.steer'");
  }
  if (stream_id === undefined || stream_id === null) return;
  throw InferenceError.invalid("stream_id", "responses of one connection come one after another: open one for each");
}
