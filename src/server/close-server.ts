import type { FastifyInstance } from "fastify";

/** Takes no more connections and lets what is under way end; after `limitMs` milliseconds, what still runs is broken off. */
export async function closeServer(app: FastifyInstance, limitMs: number): Promise<void> {
  const timer = setTimeout(() => {
    app.log.warn({ limitMs }, "requests are still under way at the end of server.shutdownMs: they are broken off");
    app.server.closeAllConnections();
  }, limitMs);
  await app.close().finally(() => clearTimeout(timer));
}
