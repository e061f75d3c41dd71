import type { IncomingMessage, RequestListener } from "node:http";
import { SmallPieces } from "../lib/chunk-list.ts";
import { stopParsing } from "../lib/stop-parsing.ts";

/** The time that the reader of a body has to refuse it. */
const LINGER_MS = 5000;

/**
 * Has node:http make no more pieces of a body that comes in too many small chunks. One read may bring 10,000, which
 * would wait in memory before anybody looks at the first.
 */
export function limitPieces(handler: RequestListener): RequestListener {
  return (request, response) => {
    if (request.httpVersionMajor === 1 && request.headers["transfer-encoding"] !== undefined) watch(request);
    handler(request, response);
  };
}

function watch(request: IncomingMessage): void {
  const pieces = new SmallPieces();
  const push = request.push.bind(request);
  request.push = (piece: Buffer | null, encoding?: BufferEncoding): boolean => {
    const hasRoom = push(piece, encoding);
    if (piece !== null && pieces.add(piece.length)) {
      stopParsing(request.socket);
      const timer = setTimeout(() => request.socket.destroy(), LINGER_MS);
      request.socket.once("close", () => clearTimeout(timer));
    }
    return hasRoom;
  };
}
