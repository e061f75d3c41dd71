import { Buffer } from "node:buffer";
import { Code } from "@connectrpc/connect";
import type { FastifyReply, FastifyRequest } from "fastify";
import { summarizeRequest } from "../facade/summarize-request.ts";
import type { OpenSummary } from "../hub/request-summary.ts";

/** Content types that only RPCs have. */
const RPC_TYPE = /^application\/(?:grpc|connect\+|proto\b)/;

/** Characters of a path that an answer repeats. */
const MAX_PATH_LENGTH = 200;

/** Flag of the envelope that ends a stream of Connect, before the four bytes of its length. */
const END_OF_STREAM = 0b10;

/**
 * Creates the hook that answers an RPC that nobody serves with UNIMPLEMENTED, as its protocol says it, before its body
 * is read.
 */
export function answerUnknownRpc(openSummary: OpenSummary) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (!isUnknownRpc(request)) return undefined;
    summarizeRequest(openSummary, reply);
    return answer(request, reply);
  };
}

function isUnknownRpc(request: FastifyRequest): boolean {
  if (!request.is404 || request.method !== "POST") return false;
  return RPC_TYPE.test(getContentType(request)) || request.url.startsWith("/attune.");
}

function answer(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const contentType = getContentType(request);
  reply.header("x-request-id", request.id);
  const [path = ""] = request.url.split("?", 1);
  const message = `there is no method '${path.slice(0, MAX_PATH_LENGTH)}' here: its proto may be newer than this service`;
  if (contentType.startsWith("application/grpc")) {
    const status = { "grpc-status": `${Code.Unimplemented}`, "grpc-message": encode(message) };
    reply.code(200).header("content-type", contentType);
    const isInTrailers = request.raw.httpVersionMajor === 2 && !contentType.startsWith("application/grpc-web");
    return isInTrailers ? sendTrailers(reply, status) : reply.headers(status).send();
  }
  const error = { code: "unimplemented", message };
  if (contentType.startsWith("application/connect+"))
    return reply.code(200).type(contentType).send(endOfStream({ error }));
  // Fastify would add a charset, with which Connect's clients take it for no answer of theirs.
  return reply.code(501).header("content-type", "application/json").serializer(JSON.stringify).send(error);
}

function getContentType({ headers }: FastifyRequest): string {
  return (headers["content-type"] ?? "").toLowerCase();
}

/** Ends an answer over HTTP/2. Headers that do not end the stream would be no trailers to gRPC's clients. */
function sendTrailers(reply: FastifyReply, trailers: Readonly<Record<string, string>>): FastifyReply {
  // Fastify knows trailers of HTTP/1.1 alone.
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.writeHead(reply.statusCode);
  reply.raw.addTrailers(trailers);
  reply.raw.end();
  return reply;
}

/** Encodes what of a text a header of gRPC cannot hold. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("%20", " ");
}

function endOfStream(end: object): Buffer {
  const data = Buffer.from(JSON.stringify(end));
  const head = Buffer.from([END_OF_STREAM, 0, 0, 0, 0]);
  head.writeUInt32BE(data.length, 1);
  return Buffer.concat([head, data]);
}
