import type { WebSocket } from "@fastify/websocket";
import type { FastifyRequest } from "fastify";
import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { EventEncoder } from "../../formats/shared/codec.ts";
import { isJsonObject, type JsonObject } from "../../formats/shared/json.ts";
import type { InferenceError } from "../../hub/error.ts";
import { endHeaders, idHeader, servingHeaders } from "../serving-headers.ts";
import { untilTaken } from "../until-taken.ts";
import { encodeFrames, withMember } from "./event-frames.ts";

/** One answer on its way through a connection. */
export class SocketAnswer {
  readonly #socket: WebSocket;
  readonly #request: FastifyRequest;
  readonly #encoder: EventEncoder;
  readonly #spell: (place: string) => string;
  #hasBegun = false;
  /** The Response that ended it. */
  response: JsonObject | undefined;

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
    const frames = encodeFrames(this.#encoder.encode(events));
    const [first] = frames;
    const begin = events[0]?.event;
    if (begin?.case === "started" && first !== undefined) {
      const facts = { request: this.#request, spell: this.#spell };
      const headers = { ...idHeader(begin.value.id), ...servingHeaders(begin.value.serving, facts) };
      frames[0] = withMember(first, "headers", headers);
    }
    const end = events.at(-1)?.event;
    const last = frames.at(-1);
    if (end?.case === "finished" && last !== undefined) {
      const { response }: { response?: unknown } = JSON.parse(last);
      this.response = isJsonObject(response) ? response : undefined;
      const headers = endHeaders(end.value, this.#spell);
      if (Object.keys(headers).length > 0) frames[frames.length - 1] = withMember(last, "headers", headers);
    }
    return this.#send(frames);
  }

  /**
   * Tells of a failure in the middle, in the one frame that ends a response: a client that took `error` for its end
   * would read a second one as the answer to its next request.
   */
  fail(error: InferenceError): void {
    const frames = encodeFrames(this.#encoder.fail(error, this.#request.id));
    const [first = {}, ...others] = frames.map((frame): JsonObject => JSON.parse(frame));
    const { sequence_number } = first;
    void this.#send([JSON.stringify({ ...(others.at(-1) ?? first), sequence_number })]);
  }

  /** Sends frames. Where the client lags, it resolves when they were taken, or the client has gone. */
  #send(frames: readonly string[]): void | Promise<void> {
    if (frames.length === 0 || this.#socket.readyState !== this.#socket.OPEN) return;
    this.#hasBegun = true;
    for (const frame of frames) this.#socket.send(frame);
    return untilTaken(this.#request.raw.socket);
  }
}
