import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import { encodeOpenAiError } from "../formats/shared/encode-openai-error.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { newId } from "../lib/ids.ts";
import { envelopeOfClient } from "./envelope.ts";
import { sendFailure, toInferenceError } from "./fail.ts";

/** Answers a request whose path cannot be decoded. No route is known yet, so none of their hooks has run. */
export function answerBadUrl(thrown: Error, request: FastifyRequest, reply: FastifyReply): void {
  reply.header("x-request-id", request.id).header("request-id", request.id);
  sendFailure(reply, toInferenceError(thrown), envelopeOfClient(request));
}

/** Answers a request of HTTP/1.1 that names no host, as that protocol demands. */
export function answerNoHost(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header("x-request-id", request.id).header("request-id", request.id);
  const error = InferenceError.invalid("host", "the header is required: name the host that is called");
  return sendFailure(reply, error, envelopeOfClient(request));
}

/** Answers a request for metrics without their token. */
export function answerNoToken(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header("x-request-id", request.id).header("www-authenticate", "Bearer");
  const message = "the header 'authorization: Bearer TOKEN' is required, with the token of server.metricsToken";
  return sendFailure(reply, new InferenceError(ErrorReason.UNAUTHENTICATED, message), encodeOpenAiError);
}

/** Answers what does not become a request at all, in the envelope of most routes, and closes the connection. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  if (socket.writable) socket.write(clientErrorAnswer(error.code));
  socket.destroy(error);
}

function clientErrorAnswer(code: string | undefined): string {
  const requestId = newId();
  const [status, message] = describe(code);
  const { body } = encodeOpenAiError(InferenceError.invalid("", message), requestId);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(text)}`,
    `x-request-id: ${requestId}`,
    `request-id: ${requestId}`,
    "x-should-retry: false",
    "x-content-type-options: nosniff",
    "connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}

function describe(code: string | undefined): readonly [status: number, message: string] {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return [431, "the path and the headers are larger than this service takes"];
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return [408, "the request did not arrive in time"];
    default:
      return [400, "this is not an HTTP request"];
  }
}
