import type { FastifyReply, FastifyRequest } from "fastify";
import type { OpenSummary, RequestSummary } from "../hub/request-summary.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The summary of the request; undefined for one of no API: health, metrics and pages. */
    summary: RequestSummary | undefined;
  }
}

/** The route of requests that no route takes: their paths are the caller's own. */
export const NO_ROUTE = "none";

/** Opens the summary of a request, which ends with the answer, or when its client leaves. */
export function summarizeRequest(open: OpenSummary, reply: FastifyReply, route = routeOf(reply.request)): void {
  const { request, raw } = reply;
  const summary = open({ requestId: request.id, route, address: request.ip, headers: request.headers });
  request.summary = summary;
  // Fastify's own hook does not hear of answers that break off.
  raw.once("close", () => summary.end(raw.headersSent ? raw.statusCode : undefined, raw.writableEnded));
}

/** Returns the method and the route of a request. */
export function routeOf({ method, is404, routeOptions }: FastifyRequest): string {
  return is404 ? NO_ROUTE : `${method} ${routeOptions.url ?? ""}`;
}
