import type { Server as HttpServer, IncomingMessage, ServerResponse } from "node:http";
import net from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

/** The interval of looking for connections whose request has ended. */
const SWEEP_MS = 50;

/** The time that aborted requests get to report their end. */
const LAST_WORDS_MS = 1000;

/**
 * Takes no more connections, and gives up those that there are without a failed request: each answer tells its client
 * that the connection ends with it. Clients that ask for nothing for so long have their connections closed when the
 * server is. Sessions of HTTP/2 are told apart by the protocol itself then.
 */
export async function leaveConnections(server: HttpServer, limitMs: number): Promise<void> {
  // The server of HTTP would close connections between two requests at once, and the next one may be on its way.
  net.Server.prototype.close.call(server);
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    if (request.httpVersionMajor === 1) response.shouldKeepAlive = false;
  });
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline && (await countConnections(server)) > 0) await delay(SWEEP_MS);
}

function countConnections(server: HttpServer): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error === null ? count : 0));
  });
}

/** When a server closes, and how. */
interface Closing {
  /** The time that running requests get, in milliseconds. */
  readonly limitMs: number;
  /** Has everything that still runs fail, so that its client is told. */
  readonly breakOff: () => void;
}

/**
 * Takes no more connections and lets what is under way end; after a limit, what still runs is broken off, and a second
 * later its connections are cut.
 */
export async function closeServer(app: FastifyInstance, { limitMs, breakOff }: Closing): Promise<void> {
  const closed = app.close();
  // A client may keep its connection long after its last answer.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  let limit = setTimeout(() => {
    app.log.warn({ limitMs }, "requests are still in progress at the end of server.shutdownMs: they are interrupted");
    breakOff();
    limit = setTimeout(() => app.server.closeAllConnections(), LAST_WORDS_MS);
  }, limitMs);
  await closed.finally(() => {
    clearInterval(sweep);
    clearTimeout(limit);
  });
}
