import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AnswerOf } from "../admission/receive-body.ts";
import type { OpenSummary, RequestSummary } from "../hub/request-summary.ts";
import { clientAddress } from "../lib/client-address.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The summary of the request; undefined for one of no API: health, metrics and pages. */
    summary: RequestSummary | undefined;
    /** Its answer; undefined for one of no API. */
    answer: ServerResponse | undefined;
  }
}

/** The route of requests that no route takes: their paths are the caller's own. */
export const NO_ROUTE = "none";

/** Opens the summary of a request, which ends with the answer, or when its client leaves. */
export function summarizeRequest(open: OpenSummary, reply: FastifyReply, route = getRoute(reply.request)): void {
  const { request, raw } = reply;
  const summary = open({ requestId: request.id, route, address: clientAddress(request), headers: request.headers });
  request.summary = summary;
  request.answer = raw;
  // Fastify's own hook does not hear of answers that break off.
  raw.on("close", () => summary.end(raw.headersSent ? raw.statusCode : undefined, raw.writableEnded));
}

/** Returns the end of a request's answer, until which its body counts. */
export function getAnswer(request: FastifyRequest): AnswerOf {
  const { answer: closing, summary } = request;
  if (closing === undefined || summary === undefined) throw new Error(`${getRoute(request)} has no summary`);
  return {
    closing,
    onHeld: (held) => {
      summary.held = held;
    },
  };
}

/** Returns the method and the route of a request. */
export function getRoute({ method, is404, routeOptions }: FastifyRequest): string {
  return is404 ? NO_ROUTE : `${method} ${routeOptions.url ?? ""}`;
}
