import type { FastifyReply, FastifyRequest } from "fastify";

/** Seconds for which a browser need not ask again. */
const MAX_AGE = "600";

/**
 * Creates the check of the page that sends a request (CORS): it lets pages of the given origins read the answer.
 * Returns true for such a page.
 */
export function createOriginCheck(origins: readonly string[]) {
  const allowed = new Set(origins);
  return ({ headers: { origin } }: FastifyRequest, reply: FastifyReply): boolean => {
    if (allowed.size === 0) return false;
    reply.header("vary", "origin");
    if (origin === undefined || !allowed.has(origin)) return false;
    reply.header("access-control-allow-origin", origin);
    reply.header("access-control-expose-headers", "retry-after, x-request-id");
    return true;
  };
}

/** Answers a browser that asks whether a page of an allowed origin may send feedback, or take it back. */
export function answerPreflight(reply: FastifyReply, method: string): FastifyReply {
  reply.header("access-control-allow-methods", method);
  reply.header("access-control-allow-headers", "authorization, content-type");
  return reply.header("access-control-max-age", MAX_AGE).code(204).send();
}
