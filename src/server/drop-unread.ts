import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

/** How long a client may go on sending a body after its request was answered without it. */
const LINGER_MS = 5000;

/** Connections on which the rest of a request is thrown away that was answered. */
const dropping = new WeakSet<Socket>();

/** Tells whether the last request of a connection was answered, although it is not whole: no second answer may follow. */
export function isAnswered(socket: Socket): boolean {
  return dropping.has(socket);
}

/**
 * Ends the connection of a client that still sends the body of a request that was answered without it. What comes until then is
 * thrown away: a connection that is cut at once would take the answer from clients that send all before they read.
 */
export function dropUnread({ raw }: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  // An HTTP/2 stream ends with its answer, and nothing of it is read any more.
  if (!raw.complete && raw.httpVersionMajor === 1 && !raw.destroyed) {
    const { socket } = raw;
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    dropping.add(socket);
    raw.once("end", () => dropping.delete(socket));
    raw.once("close", () => clearTimeout(timer));
  }
  done();
}
