import type { FastifyRequest } from "fastify";
import { chatCodec } from "../formats/chat/codec.ts";
import { messagesCodec } from "../formats/messages/codec.ts";
import { responsesCodec } from "../formats/responses/codec.ts";
import type { ErrorEncoder } from "./fail.ts";

/**
 * Chooses the format in which a path or a method that does not exist is told of: that of the client, where its headers
 * say which, and otherwise that of the route whose path it begins with.
 */
export function envelopeOfClient(request: FastifyRequest): ErrorEncoder {
  return request.headers["anthropic-version"] === undefined ? getEnvelope(request) : messagesCodec.encodeError;
}

/** Chooses the format in which a route tells of failures: its own. */
export function getEnvelope(request: FastifyRequest): ErrorEncoder {
  const path = request.url.split("?", 1)[0] ?? "";
  // The API can be registered below a prefix.
  const [, route] = /\/v1\/(messages|responses|conversations|models)/.exec(path) ?? [];
  if (route === "messages") return messagesCodec.encodeError;
  if (route === "responses" || route === "conversations") return responsesCodec.encodeError;
  // The listing serves two SDKs from one path; only one of them names a version.
  const anthropic = route === "models" && request.headers["anthropic-version"] !== undefined;
  return anthropic ? messagesCodec.encodeError : chatCodec.encodeError;
}
