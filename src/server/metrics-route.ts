import { hash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";

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

const REFUSAL = "GET /metrics needs the header 'Authorization: Bearer TOKEN' with the token of server.metricsToken\n";

/** Adds GET /metrics. */
export function addMetricsRoute(app: FastifyInstance, { page, token }: GuardedMetrics): void {
  app.get("/metrics", async (request, reply) => {
    if (token !== undefined && !hasToken(request.headers.authorization, token)) {
      return reply.code(401).header("www-authenticate", "Bearer").type("text/plain; charset=utf-8").send(REFUSAL);
    }
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
