import http from "node:http";
import http2 from "node:http2";
import type net from "node:net";
import type { FastifyServerFactory } from "fastify";

/** First bytes of every HTTP/2 connection that begins without an upgrade. */
const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** How long a new connection may take to show which protocol it speaks. */
const FIRST_BYTES_MS = 10_000;

/**
 * Serves HTTP/1.1 and cleartext HTTP/2 (which gRPC needs) on one port: the first bytes of a connection tell which it is.
 * Costs nothing per request.
 */
export function createDualProtocolServer(): FastifyServerFactory {
  return (handler) => {
    const http1 = http.createServer({ keepAliveTimeout: 72_000 }, handler);
    const http2Server = http2.createServer({}, (request, response) => {
      // Fastify types its handler for HTTP/1; the compatibility classes of node:http2 have the same shape.
      handler(request as unknown as http.IncomingMessage, response as unknown as http.ServerResponse);
    });
    const sessions = new Set<http2.ServerHttp2Session>();
    const undecided = new Set<net.Socket>();
    let closing = false;
    http2Server.on("session", (session) => {
      if (closing) return session.close();
      sessions.add(session);
      session.once("close", () => sessions.delete(session));
    });
    const takeHttp1 = http1.listeners("connection") as ((socket: net.Socket) => void)[];
    http1.removeAllListeners("connection");
    http1.on("connection", (socket: net.Socket) => {
      undecided.add(socket);
      socket.once("close", () => undecided.delete(socket));
      sniff(socket, (isHttp2) => {
        undecided.delete(socket);
        if (isHttp2) http2Server.emit("connection", socket);
        else for (const take of takeHttp1) take.call(http1, socket);
      });
    });
    // Streams that are under way end by themselves; a session without any, or a connection that has said nothing yet, would
    // keep the server open.
    const close = http1.close.bind(http1);
    http1.close = (callback) => {
      closing = true;
      for (const socket of undecided) socket.destroy();
      for (const session of sessions) session.close();
      return close(callback);
    };
    const closeAll = http1.closeAllConnections.bind(http1);
    http1.closeAllConnections = () => {
      for (const session of sessions) session.destroy();
      closeAll();
    };
    return http1;
  };
}

/** Reads until the protocol is certain, puts the bytes back, and hands the socket on. */
function sniff(socket: net.Socket, handOn: (isHttp2: boolean) => void): void {
  let head: Buffer = Buffer.alloc(0);
  const destroy = (): void => {
    socket.destroy();
  };
  const timer = setTimeout(destroy, FIRST_BYTES_MS);
  const onData = (chunk: Buffer): void => {
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const length = Math.min(head.length, PREFACE.length);
    const mayBeHttp2 = head.subarray(0, length).equals(PREFACE.subarray(0, length));
    if (mayBeHttp2 && length < PREFACE.length) return;
    clearTimeout(timer);
    socket.off("data", onData);
    socket.off("error", destroy);
    socket.pause();
    socket.unshift(head);
    handOn(mayBeHttp2);
    if (!mayBeHttp2) socket.resume();
  };
  socket.on("data", onData);
  socket.on("error", destroy);
  socket.once("close", () => clearTimeout(timer));
}
