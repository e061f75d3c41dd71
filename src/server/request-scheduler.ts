import type { RequestListener } from "node:http";
import type { Http2ServerRequest } from "node:http2";

type Exchange = Parameters<RequestListener>;

/** Requests that begin in one iteration of the event loop. */
const PER_TURN = 32;

/**
 * Has requests that come all at once begin over several iterations of the event loop, in their order. One read of a
 * connection may bring hundreds, pipelined or as streams of HTTP/2: begun together they would hold the loop for a
 * quarter of a second. Those that their clients have given up by then, as in a flood of resets, never begin.
 */
export function scheduleRequests(handler: RequestListener): RequestListener {
  let begun = 0;
  let waiting: Exchange[] = [];
  let first = 0;
  const begin = (exchange: Exchange): void => {
    if (begun === 0) setImmediate(nextTurn);
    begun += 1;
    handler(...exchange);
  };
  const nextTurn = (): void => {
    begun = 0;
    for (; first < waiting.length && begun < PER_TURN; first += 1) {
      const exchange = waiting[first];
      if (exchange !== undefined && !isGivenUp(exchange)) begin(exchange);
    }
    if (first * 2 < waiting.length) return;
    waiting = waiting.slice(first);
    first = 0;
  };
  return (...exchange) => {
    if (begun < PER_TURN && waiting.length === 0) begin(exchange);
    else waiting.push(exchange);
  };
}

function isGivenUp([request]: Exchange): boolean {
  // Node's request of HTTP/2 does not say itself that its client has left.
  return (request as RequestOfBoth).stream?.destroyed ?? request.destroyed;
}

type RequestOfBoth = Exchange[0] & Partial<Pick<Http2ServerRequest, "stream">>;
