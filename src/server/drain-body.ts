import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** The time that a client may go on sending a body after its request was answered without it. */
export const LINGER_MS = 5000;

/** Connections on which the rest of a request is thrown away that was answered. */
const dropping = new WeakSet<Socket>();

/**
 * Tells whether the last request of a connection was answered, although it is not whole: no second answer may follow.
 */
export function isAnswered(socket: Socket): boolean {
  return dropping.has(socket);
}

/**
 * Has an app end the connection of a client that still sends the body of a request that was answered without it, after
 * `lingerMs`. What comes until then is thrown away: a connection that is cut at once would take the answer from clients
 * that send all before they read.
 */
export function drainBody(app: FastifyInstance, lingerMs = LINGER_MS): void {
  app.addHook("onResponse", ({ raw }, _reply, done) => {
    // A stream of HTTP/2 is ended where the time of answers is limited.
    if (!raw.complete && raw.httpVersionMajor === 1 && !raw.destroyed) {
      const { socket } = raw;
      const timer = setTimeout(() => socket.destroy(), lingerMs);
      dropping.add(socket);
      // The connection may have its next request by then.
      raw.once("end", () => {
        dropping.delete(socket);
        clearTimeout(timer);
      });
      raw.once("close", () => clearTimeout(timer));
    }
    done();
  });
}
