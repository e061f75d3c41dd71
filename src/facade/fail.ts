import type { FastifyReply } from "fastify";
import type { EncodedError } from "../formats/shared/codec.ts";
import { WireError } from "../formats/shared/read.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { decodeError } from "./client/decode-error.ts";
import { logFailure } from "./log-failure.ts";
import { quotaHeaders } from "./quota-headers.ts";
import { idHeader } from "./serving-headers.ts";
import { ownUpstreamHeaders, printable } from "./upstream-headers.ts";

/** Encodes a failure in the format of a route. */
export type ErrorEncoder = (error: InferenceError, requestId: string) => EncodedError;

/**
 * Turns whatever a handler threw into an InferenceError: wire errors, RPC errors, and Fastify's own.
 */
export function toInferenceError(thrown: unknown): InferenceError {
  if (thrown instanceof InferenceError) return thrown;
  if (thrown instanceof WireError) {
    return new InferenceError(ErrorReason.INVALID_REQUEST, thrown.message, { param: thrown.param, cause: thrown });
  }
  const fastifyCode = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  switch (fastifyCode) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return InferenceError.invalid("", "send the body as JSON, with the header 'content-type: application/json'");
    case "FST_ERR_BAD_URL":
      return InferenceError.invalid("", "the path is not a valid URL: percent-encode its UTF-8 bytes");
    case "FST_ERR_MAX_PARAM_LENGTH":
      return new InferenceError(ErrorReason.NOT_FOUND, "there is nothing at a path that long");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return InferenceError.invalid("", "the header 'content-length' does not match the body");
    default:
      return decodeError(thrown);
  }
}

/** Returns what to catch a failure with: it is thrown on as an InferenceError that has the caller's names of places. */
export function failAtPlaces(spell: (place: string) => string): (thrown: unknown) => never {
  return (thrown) => {
    throw toInferenceError(thrown).atPlaces(spell);
  };
}

/** Answers with a failure: status, envelope, and the headers that tell SDKs whether and when to try again. */
export function sendFailure(reply: FastifyReply, error: InferenceError, encode: ErrorEncoder): FastifyReply {
  const requestId = reply.request.id;
  reply.request.summary?.fail(error);
  const { status, body } = encode(error, requestId);
  if (status >= 500) logFailure(reply.log, error, "request failed");
  const { inferenceId, retryAfterMs, upstream, upstreamHeaders, upstreamRequestId, quota } = error.facts;
  // Fastify ends connections whose bodies it could not read. HTTP/2 has no such header, and Node would warn.
  if (reply.request.raw.httpVersionMajor === 2) reply.removeHeader("connection");
  reply.status(status).header("content-type", "application/json; charset=utf-8");
  reply.header("x-should-retry", error.shouldRetry ? "true" : "false");
  if (retryAfterMs !== undefined) {
    reply.header("retry-after", String(Math.ceil(retryAfterMs / 1000)));
    reply.header("retry-after-ms", String(Math.ceil(retryAfterMs)));
  }
  reply.headers(idHeader(inferenceId));
  reply.headers(ownUpstreamHeaders(reply.request, upstreamHeaders));
  if (quota !== undefined) reply.headers(quotaHeaders(reply.request, [quota]));
  if (upstream !== undefined) reply.header("attune-served-by", printable(upstream));
  if (upstreamRequestId) reply.header("attune-upstream-request-id", printable(upstreamRequestId));
  return reply.send(JSON.stringify(body));
}
