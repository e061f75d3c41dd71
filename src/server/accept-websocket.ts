import type { IncomingMessage } from "node:http";
import websocket from "@fastify/websocket";
import type { FastifyInstance } from "fastify";
import { removeBasePath } from "../lib/base-path.ts";

/** The path on which connections are upgraded to WebSocket. */
const PATH = /^\/v1\/responses\/?(?:\?|$)/;

/**
 * Tells whether a request, below a base path or without, may change its connection to WebSocket. Any other wish to
 * change the protocol, such as that of clients that would rather speak HTTP/2, is ignored, and its request answered as
 * all others.
 */
export function wantsWebSocket({ method, url = "", headers }: IncomingMessage, basePath: string): boolean {
  if (method !== "GET" || headers.upgrade?.toLowerCase() !== "websocket") return false;
  return PATH.test(removeBasePath(url, basePath));
}

/** Frames that one message may have: the library keeps an object for each until it is whole. */
const MOST_FRAGMENTS = 2048;

/** Has an app take WebSocket connections on routes that want them. A message has at most `maxBytes`. */
export async function acceptWebSocket(app: FastifyInstance, maxBytes: number): Promise<void> {
  await app.register(websocket, {
    // Without compression, in which a few bytes may become many.
    options: { maxPayload: maxBytes, maxFragments: MOST_FRAGMENTS, perMessageDeflate: false, clientTracking: false },
    // Who has taken the connections closes them.
    preClose: (done) => done(),
    errorHandler(error, socket, request) {
      request.log.info({ reason: error.message }, "a WebSocket connection failed");
      // What breaks the rules of the protocol is told why, by the library itself.
      if (!("code" in error && String(error.code).startsWith("WS_ERR"))) socket.terminate();
    },
  });
}
