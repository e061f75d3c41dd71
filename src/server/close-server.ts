import type { FastifyInstance } from "fastify";

/** How often connections are looked for whose request has ended meanwhile. */
const SWEEP_MS = 50;

/** How long what is broken off may take to say so. */
const LAST_WORDS_MS = 1000;

/** When a server closes, and how. */
export interface Closing {
  /** How long what is under way may go on, in milliseconds. */
  readonly limitMs: number;
  /** Has everything that still runs fail, so that its client is told. */
  readonly breakOff: () => void;
}

/**
 * Takes no more connections and lets what is under way end; after a limit, what still runs is broken off, and a second later its
 * connections are cut.
 */
export async function closeServer(app: FastifyInstance, { limitMs, breakOff }: Closing): Promise<void> {
  const closed = app.close();
  // A client may keep its connection long after its last answer.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  let limit = setTimeout(() => {
    app.log.warn({ limitMs }, "requests are still under way at the end of server.shutdownMs: they are broken off");
    breakOff();
    limit = setTimeout(() => app.server.closeAllConnections(), LAST_WORDS_MS);
  }, limitMs);
  await closed.finally(() => {
    clearInterval(sweep);
    clearTimeout(limit);
  });
}
