import type { FastifyReply, FastifyRequest } from "fastify";
import { refuse } from "./refuse.ts";

/** Answers a request that is refused. */
type OriginCheck = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/** Creates the check of a dashboard that is at `publicUrl`, or where its requests say. */
export function createOriginCheck(publicUrl: string | undefined): OriginCheck {
  const publicOrigin = publicUrl && new URL(publicUrl).origin;
  return (request, reply) => checkOrigin(request, reply, publicOrigin);
}

/**
 * Refuses what another site makes a browser send: a request that changes something has to come from the dashboard's own
 * pages, by the headers that browsers set and pages cannot, and has to be JSON, which no form can send. Answers 403 or
 * 415.
 */
async function checkOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  publicOrigin: string | undefined,
): Promise<FastifyReply | undefined> {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && !(site === "none" && request.method === "GET")) {
    return await refuse(reply, "FORBIDDEN", "this request comes from another site");
  }
  if (request.method === "GET") return undefined;
  const { origin } = request.headers;
  if (origin === undefined && site === undefined) {
    const message = "a request that changes something needs the header Origin or Sec-Fetch-Site";
    return await refuse(reply, "FORBIDDEN", message);
  }
  if (origin !== undefined && origin !== publicOrigin && hostOf(origin) !== request.host) {
    return await refuse(reply, "FORBIDDEN", "this request comes from another origin");
  }
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) {
    return await refuse(reply, "UNSUPPORTED_MEDIA_TYPE", "the content type must be application/json");
  }
  return undefined;
}

/** The scheme is left out: a proxy that ends https may not say so. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
