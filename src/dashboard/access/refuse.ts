import { constants, Http2ServerResponse } from "node:http2";
import type { FastifyReply } from "fastify";

/**
 * Reasons for which the API refuses a request before any procedure has it: the HTTP status, and tRPC's number of the
 * code.
 */
const REASONS = {
  BAD_REQUEST: [400, -32600],
  UNAUTHORIZED: [401, -32001],
  FORBIDDEN: [403, -32003],
  NOT_FOUND: [404, -32004],
  PAYLOAD_TOO_LARGE: [413, -32013],
  UNSUPPORTED_MEDIA_TYPE: [415, -32015],
  INTERNAL_SERVER_ERROR: [500, -32603],
  SERVICE_UNAVAILABLE: [503, -32603],
} as const;

/**
 * Answers in the form of the API's own errors, so that its client can show the message. What is still to come is not
 * read.
 */
export async function refuse(reply: FastifyReply, code: keyof typeof REASONS, message: string): Promise<FastifyReply> {
  const [httpStatus, number] = REASONS[code];
  endHttp2Stream(reply);
  return await reply.code(httpStatus).send({ error: { message, code: number, data: { code, httpStatus } } });
}

/** Over HTTP/1.1, Node discards the rest of a body; a stream of HTTP/2 would wait for it for ever. */
function endHttp2Stream({ raw }: FastifyReply): void {
  // Fastify types its answers for HTTP/1.
  const response: unknown = raw;
  if (!(response instanceof Http2ServerResponse)) return;
  const { stream } = response;
  response.once("finish", () => stream.close(constants.NGHTTP2_NO_ERROR));
}
