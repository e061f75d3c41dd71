import type { Readable } from "node:stream";
import { Agent, Client, type Dispatcher } from "undici";
import type { OnSent } from "../hub/upstream.ts";
import { TimeoutSweeper } from "../lib/timeout-sweeper.ts";
import { createPool } from "./connection.ts";
import { createConnector, type NetworkPath } from "./connector.ts";
import { type AnswerHead, HttpExchange, type HttpTimeouts } from "./http-exchange.ts";
import type { RequestBody } from "./request-body.ts";

/** A POST to an upstream. */
export interface HttpRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** It is let go of when it cannot be needed any more. */
  readonly body: RequestBody;
  readonly signal: AbortSignal;
  readonly onSent?: OnSent | undefined;
}

/** An answer whose body is still coming. */
export interface HttpAnswer extends AnswerHead {
  /** See HttpExchange.read(). */
  read(): Promise<Uint8Array[] | undefined>;
  /** Ends the exchange if it is still under way. */
  cancel(): void;
  /** See HttpExchange.drain(). */
  drain(): void;
  /** Texts of its request that no error may repeat, beyond those of every request of the upstream; none if absent. */
  readonly secrets?: readonly string[];
}

/** The one way out: keep-alive connections to upstreams. */
export interface HttpClient {
  /** Sends a request; resolves with the head of the answer, whatever its status. Throws InferenceError. */
  post(request: HttpRequest): Promise<HttpAnswer>;
  /** Closes idle connections and waits for the others. */
  close(): Promise<void>;
}

type DispatchedRequest = Dispatcher.DispatchOptions & { readonly origin: string };

/** Most bytes of the headers of an answer. */
const HEADER_BYTES = 32 * 1024;

/** A limit is found so much late at most, or by a quarter of the shortest one; the end of a silence by twice that. */
const SWEEP_MS = 250;

/**
 * Creates a client; each upstream has its own, so that one cannot use up the other's connections. Errors say `peer` of
 * what is called; `network` is the way to it.
 */
export function createHttpClient(timeouts: HttpTimeouts, peer = "upstream", network: NetworkPath = {}): HttpClient {
  const options = {
    connect: createConnector(network, timeouts.connectMs),
    keepAliveTimeout: 30_000,
    maxHeaderSize: HEADER_BYTES,
    // The exchange keeps its own, finer clocks.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const agent = new Agent({ ...options, factory: createPool });
  const { firstByteMs, idleMs, totalMs } = timeouts;
  const sweepMs = Math.min(SWEEP_MS, firstByteMs / 4, idleMs / 4, totalMs / 4);
  const sweep = new TimeoutSweeper<HttpExchange>(sweepMs, (exchange) => exchange.checkLimits());
  const closing = new Set<Promise<void>>();
  const sendAlone = (request: DispatchedRequest, exchange: HttpExchange): void => {
    const client = new Client(request.origin, options);
    client.dispatch(request, exchange);
    const closed = client.close().finally(() => closing.delete(closed));
    closing.add(closed);
  };
  return {
    async post({ url, headers, body, signal, onSent }) {
      const path = url.pathname + url.search;
      const sized = { ...headers, "content-length": String(body.length) };
      const request = (): DispatchedRequest => {
        // Types of undici leave out iterables, which it takes as its documentation says.
        const content = body.content() as Buffer | Readable;
        return { origin: url.origin, path, method: "POST", headers: sized, body: content };
      };
      const exchange = new HttpExchange(timeouts, {
        sweep,
        signal,
        peer,
        body,
        onSent,
        sendAgain: () => sendAlone(request(), exchange),
      });
      agent.dispatch(request(), exchange);
      const { status, headers: answerHeaders } = await exchange.head;
      return {
        status,
        headers: answerHeaders,
        read: () => exchange.read(),
        cancel: () => exchange.cancel(),
        drain: () => exchange.drain(),
      };
    },
    async close() {
      await agent.close();
      await Promise.all(closing);
    },
  };
}
