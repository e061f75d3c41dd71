import http from "node:http";
import http2 from "node:http2";
import type net from "node:net";
import type { FastifyServerFactory } from "fastify";
import { wantsWebSocket } from "./accept-websocket.ts";
import { limitPieces } from "./limit-pieces.ts";
import { orderPipelined } from "./order-pipelined.ts";
import { scheduleRequests } from "./request-scheduler.ts";
import type { TlsTerminator } from "./tls-terminator.ts";

/** First bytes of every HTTP/2 connection that begins without an upgrade. */
const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** The time limits of connections, in milliseconds. */
interface ConnectionLimits {
  /** Until a new connection shows which protocol it speaks, and an HTTP/2 client its settings. */
  readonly firstBytesMs: number;
  /** Until the head of a request is there. */
  readonly headersMs: number;
  /** Until a request is there, body and all. */
  readonly requestMs: number;
  /** Without any request. */
  readonly idleMs: number;
}

const DEFAULT_LIMITS: ConnectionLimits = {
  firstBytesMs: 10_000,
  headersMs: 20_000,
  requestMs: 300_000,
  idleMs: 72_000,
};

/** The interval of checking HTTP/1.1 connections for late ones. */
const CHECK_MS = 5000;

/** Streams of one HTTP/2 session at a time, and the most that the head of one may have. */
const HTTP2_SETTINGS = { maxConcurrentStreams: 256, maxHeaderListSize: 16_384, enablePush: false };

/**
 * Resets that one HTTP/2 session may send at once, and the rate in 1/s at which they are allowed again. A client that
 * gives up all its streams stays below it. Streams that are opened only to be reset escape the limit on open ones, and
 * each costs what a request costs; a client that goes on gets GOAWAY.
 */
const HTTP2_RESETS = { streamResetBurst: HTTP2_SETTINGS.maxConcurrentStreams, streamResetRate: 64 };

/**
 * Serves HTTP/1.1 and cleartext HTTP/2 (which gRPC needs) on one port: the first bytes of a connection tell which it
 * is, or with TLS its ALPN. Costs nothing per request. A client that waits for leave to send its body gets it when
 * somebody reads the body.
 */
export function createDualProtocolServer(
  limits: ConnectionLimits = DEFAULT_LIMITS,
  terminator?: TlsTerminator,
  basePath = "",
): FastifyServerFactory {
  return (handle) => {
    const handler = limitPieces(orderPipelined(scheduleRequests(handle)));
    const http1 = http.createServer(http1Options(limits, basePath), handler);
    const http2Server = http2.createServer(
      { settings: HTTP2_SETTINGS, ...HTTP2_RESETS },
      handler as unknown as Http2Handler,
    );
    http1.on("checkContinue", continueWhenRead(handler));
    http2Server.on("checkContinue", continueWhenRead(handler) as unknown as Http2Handler);
    // Other expectations may be ignored (RFC 9110, section 10.1.1); Node would refuse them without a body.
    http1.on("checkExpectation", handler);
    http2Server.on("checkExpectation", handler as unknown as Http2Handler);
    const sessions = new Sessions(http2Server, limits);
    const undecided = new Set<net.Socket>();
    const takeHttp1 = http1.listeners("connection") as ((socket: net.Socket) => void)[];
    http1.removeAllListeners("connection");
    const take = (socket: net.Socket, isHttp2: boolean): void => {
      if (!isHttp2) for (const takeOne of takeHttp1) takeOne.call(http1, socket);
      else {
        // Servers of HTTP/1.1 let clients end their half. A client of HTTP/2 that does has left; streams that wait for
        // it to read would keep its session for ever.
        socket.allowHalfOpen = false;
        http2Server.emit("connection", socket);
      }
    };
    http1.on("connection", (socket: net.Socket) => {
      undecided.add(socket);
      socket.once("close", () => undecided.delete(socket));
      if (terminator !== undefined) return terminator.accept(socket);
      sniff(socket, limits.firstBytesMs, (isHttp2) => {
        undecided.delete(socket);
        take(socket, isHttp2);
      });
    });
    terminator?.onSecure((socket, below) => {
      if (below !== undefined) undecided.delete(below);
      take(socket, socket.alpnProtocol === "h2");
    });
    // Streams that are under way end by themselves; a session without any, or a connection that has said nothing yet,
    // would keep the server open.
    const close = http1.close.bind(http1);
    http1.close = (callback) => {
      for (const socket of undecided) socket.destroy();
      sessions.close();
      return close(callback);
    };
    const closeAll = http1.closeAllConnections.bind(http1);
    http1.closeAllConnections = () => {
      sessions.destroy();
      closeAll();
    };
    return http1;
  };
}

/** Fastify types its handler for HTTP/1; the compatibility classes of node:http2 have the same shape. */
type Http2Handler = (request: http2.Http2ServerRequest, response: http2.Http2ServerResponse) => void;

function http1Options({ headersMs, requestMs, idleMs }: ConnectionLimits, basePath: string): http.ServerOptions {
  return {
    keepAliveTimeout: idleMs,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(CHECK_MS, headersMs),
    // A missing one is refused where all other headers are judged, and in the API's own form.
    requireHostHeader: false,
    shouldUpgradeCallback: (request) => wantsWebSocket(request, basePath),
  };
}

function continueWhenRead(handler: http.RequestListener): http.RequestListener {
  return (request, response) => {
    // An answer without a look at the body is the answer.
    request.once("resume", () => {
      if (!response.headersSent) response.writeContinue();
    });
    handler(request, response);
  };
}

/** The HTTP/2 sessions of a server. Those are cut off that show no settings, or have no request for long. */
class Sessions {
  readonly #limits: ConnectionLimits;
  readonly #open = new Set<http2.ServerHttp2Session>();
  #isClosing = false;

  constructor(server: http2.Http2Server, limits: ConnectionLimits) {
    this.#limits = limits;
    server.on("session", (session) => this.#add(session));
  }

  /** Takes no more streams; sessions end with the last of theirs. */
  close(): void {
    this.#isClosing = true;
    for (const session of this.#open) session.close();
  }

  destroy(): void {
    for (const session of this.#open) session.destroy();
  }

  #add(session: http2.ServerHttp2Session): void {
    if (this.#isClosing) {
      session.close();
      return;
    }
    const { firstBytesMs, idleMs } = this.#limits;
    this.#open.add(session);
    let streams = 0;
    const destroy = (): void => session.destroy();
    let timer = setTimeout(destroy, firstBytesMs);
    const awaitStream = (): void => {
      clearTimeout(timer);
      // Says goodbye, on which clients open another connection before their next call.
      timer = setTimeout(() => session.close(), idleMs);
    };
    session.once("remoteSettings", () => {
      if (streams === 0) awaitStream();
    });
    session.on("stream", (stream) => {
      streams += 1;
      clearTimeout(timer);
      stream.once("close", () => {
        streams -= 1;
        if (streams === 0 && !session.destroyed) awaitStream();
      });
    });
    session.once("close", () => {
      clearTimeout(timer);
      this.#open.delete(session);
    });
  }
}

/** Reads until the protocol is certain, puts the bytes back, and hands the socket on. */
function sniff(socket: net.Socket, limitMs: number, handOn: (isHttp2: boolean) => void): void {
  let head: Buffer = Buffer.alloc(0);
  const destroy = (): void => {
    socket.destroy();
  };
  const timer = setTimeout(destroy, limitMs);
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
