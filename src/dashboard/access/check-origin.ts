import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Refuses what another site makes a browser send: a request that changes something has to come from the dashboard's own
 * pages, by the headers that browsers set and pages cannot, and has to be JSON, which no form can send. Answers 403 or 415.
 */
export async function checkOrigin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && !(site === "none" && request.method === "GET")) {
    return refuse(reply, 403, "this request comes from another site");
  }
  if (request.method === "GET") return;
  const { origin } = request.headers;
  if (origin === undefined && site === undefined) {
    return refuse(reply, 403, "a request that changes something needs the header Origin or Sec-Fetch-Site");
  }
  if (origin !== undefined && hostOf(origin) !== request.host) {
    return refuse(reply, 403, "this request comes from another origin");
  }
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) {
    return refuse(reply, 415, "the content type must be application/json");
  }
}

/** The scheme is left out: a proxy that ends https may not say so. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** In the form of the API's own errors, so that its client can show the message. */
async function refuse(reply: FastifyReply, status: 403 | 415, message: string): Promise<void> {
  const code = status === 403 ? "FORBIDDEN" : "UNSUPPORTED_MEDIA_TYPE";
  await reply
    .code(status)
    .send({ error: { message, code: status === 403 ? -32003 : -32015, data: { code, httpStatus: status } } });
}
