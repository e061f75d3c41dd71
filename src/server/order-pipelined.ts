import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { stopParsing } from "../lib/stop-parsing.ts";

/** Requests that may wait behind others on one connection, and on one of many while so many wait in all. */
const MOST = 512;
const MOST_OF_MANY = 16;
const MANY = 1024;

/**
 * Has a pipelined request begin once its client has taken the answer before it. Node reads no further while answers
 * wait, but one read may bring a thousand requests, and each of them would be answered into memory. A connection with
 * more than may wait is cut.
 */
export function orderPipelined(handler: RequestListener): RequestListener {
  const waiting = new Map<Socket, number>();
  let total = 0;
  const add = (socket: Socket, count: number): void => {
    waiting.set(socket, (waiting.get(socket) ?? 0) + count);
    total += count;
  };
  const forget = (socket: Socket): void => {
    total -= waiting.get(socket) ?? 0;
    waiting.delete(socket);
  };
  return (request, response) => {
    const { socket } = request;
    // Node gives a response its socket when the one before it has ended. Those of HTTP/2 have none to wait for.
    if (response.socket !== null) {
      handler(request, response);
      return;
    }
    if (socket.destroyed) return;
    if ((waiting.get(socket) ?? 0) >= (total < MANY ? MOST : MOST_OF_MANY)) {
      stopParsing(socket);
      socket.destroy();
      return;
    }
    if (!waiting.has(socket)) socket.once("close", () => forget(socket));
    add(socket, 1);
    response.once("socket", () => {
      add(socket, -1);
      handler(request, response);
    });
  };
}
