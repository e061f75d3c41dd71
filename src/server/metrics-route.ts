import { hash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { answerNoToken } from "../facade/early-failure.ts";

/** A page of metrics. */
export interface MetricsPage {
  readonly contentType: string;
  expose(): Promise<string>;
}

/** A page of metrics, and the token that it asks for; undefined if it asks for none. */
export interface GuardedMetrics {
  readonly page: MetricsPage;
  readonly token: string | undefined;
}

/** Adds GET /metrics. */
export function addMetricsRoute(app: FastifyInstance, { page, token }: GuardedMetrics): void {
  app.get("/metrics", async (request, reply) => {
    if (token !== undefined && !hasToken(request.headers.authorization, token)) return answerNoToken(request, reply);
    return reply.type(page.contentType).send(await page.expose());
  });
}

/** Compares in a time that tells nothing of the token, nor of its length. */
function hasToken(authorization: string | undefined, token: string): boolean {
  const sent = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  return sent !== undefined && timingSafeEqual(digest(sent), digest(token));
}

function digest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
