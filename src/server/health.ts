import type { FastifyInstance } from "fastify";
import { newId } from "../lib/ids.ts";

/** Whether a process should be sent requests. */
export interface Readiness {
  readonly isReady: boolean;
  /** What it depends on, in a word each: for people. */
  readonly checks: Readonly<Record<string, string>>;
}

/**
 * Adds GET /healthz, which answers as long as the process does, and GET /readyz, which answers 503 while requests should go
 * elsewhere.
 */
export function addHealthRoutes(app: FastifyInstance, readiness: () => Readiness): void {
  // Processes that share a port can be told from each other.
  const instance = newId();
  app.get("/healthz", async () => ({ status: "ok", instance }));
  app.get("/readyz", async (_request, reply) => {
    const { isReady, checks } = readiness();
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? "ready" : "not ready", instance, checks });
  });
}
