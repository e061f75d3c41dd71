import type { FastifyInstance } from "fastify";

/** How often connections are looked for whose request has ended meanwhile. */
const SWEEP_MS = 50;

/** Takes no more connections and lets what is under way end; after `limitMs` milliseconds, what still runs is broken off. */
export async function closeServer(app: FastifyInstance, limitMs: number): Promise<void> {
  const closed = app.close();
  // A client may keep its connection long after its last answer.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  const limit = setTimeout(() => {
    app.log.warn({ limitMs }, "requests are still under way at the end of server.shutdownMs: they are broken off");
    app.server.closeAllConnections();
  }, limitMs);
  await closed.finally(() => {
    clearInterval(sweep);
    clearTimeout(limit);
  });
}
