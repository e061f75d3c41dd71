import type { Dispatcher } from "undici";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import type { OnSent } from "../hub/upstream.ts";
import type { Indexed } from "../lib/dense-list.ts";
import type { TimeoutSweeper } from "../lib/timeout-sweeper.ts";
import type { Connection, ConnectionUser } from "./connection.ts";
import type { RequestBody } from "./request-body.ts";
import { Resend } from "./resend.ts";

/** Limits on one call of an upstream, in milliseconds. */
export interface HttpTimeouts {
  /** To open a connection. */
  readonly connectMs: number;
  /** From the request to the first byte of the answer's body. */
  readonly firstByteMs: number;
  /** Between two reads of the body. */
  readonly idleMs: number;
  /** From the request to the end of the answer. */
  readonly totalMs: number;
}

/** Bytes that wait for the reader before the socket is paused. */
const HIGH_WATER_BYTES = 64 * 1024;

/** The least bytes that each piece of a body counts for. */
const CHUNK_BYTES = 128;

/** The time limit of a complete answer's connection to end. */
const DRAIN_MS = 1000;

/** The request of an exchange. */
interface ExchangeRequest {
  /** Has it look at its limits. */
  readonly sweep: TimeoutSweeper<HttpExchange>;
  readonly signal: AbortSignal;
  /** The name of the called server in errors: "upstream". */
  readonly peer: string;
  /** Let go of as soon as it cannot have to be sent again. */
  readonly body: RequestBody;
  readonly onSent?: OnSent | undefined;
  /** Sends the request once more, on a connection that was not used before. */
  sendAgain(): void;
}

/** Status and headers of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * One POST and its answer. undici pushes into it; the reader takes all that has come with each `read()`, so that one
 * read of the socket is one batch however many events it holds. A reader that lags pauses the socket.
 */
export class HttpExchange implements Dispatcher.DispatchHandler, ConnectionUser, Indexed {
  readonly head: Promise<AnswerHead>;
  slot = -1;
  readonly #sweep: TimeoutSweeper<HttpExchange>;
  readonly #timeouts: HttpTimeouts;
  readonly #signal: AbortSignal;
  readonly #peer: string;
  readonly #resend: Resend;
  readonly #onSent: OnSent | undefined;
  readonly #settleHead: PromiseWithResolvers<AnswerHead>;
  readonly #startedMs = performance.now();
  /** When it was last heard of, as far as its limits were looked at, or began to be waited for. */
  #heardMs = this.#startedMs;
  /** True if something has come since the limits were looked at: to read the clock for each piece takes longer. */
  #hasHeard = false;
  #controller: Dispatcher.DispatchController | undefined;
  #chunks: Uint8Array[] = [];
  #queuedBytes = 0;
  #wake: PromiseWithResolvers<void> | undefined;
  #begun = false;
  #paused = false;
  /** True until it is seen whether the reader took what the socket's last read has brought. */
  #judging = false;
  #draining = false;
  #ended = false;
  #failure: InferenceError | undefined;

  constructor(timeouts: HttpTimeouts, { sweep, signal, peer, body, onSent, sendAgain }: ExchangeRequest) {
    this.#sweep = sweep;
    this.#timeouts = timeouts;
    this.#signal = signal;
    this.#peer = peer;
    this.#onSent = onSent;
    this.#resend = new Resend(body, sendAgain);
    this.#settleHead = Promise.withResolvers<AnswerHead>();
    this.head = this.#settleHead.promise;
    // The reader may be gone before the head fails; that must not count as an unhandled rejection.
    this.head.catch(() => {});
    sweep.add(this);
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  sentOver(current: () => Connection | undefined): void {
    this.#resend.sentOver(current);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure !== undefined) controller.abort(this.#failure);
    else {
      this.#onSent?.(this.#resend.lostMs);
      this.#resend.begin();
    }
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: AnswerHead["headers"]): void {
    // Interim answers (1xx) come before the answer proper.
    if (status < 200) return;
    this.#resend.answered();
    this.#settleHead.resolve({ status, headers });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#draining) return;
    this.#hasHeard = true;
    this.#begun = true;
    // One that grows has room for seventeen, and most reads bring one.
    if (this.#chunks.length === 0) this.#chunks = [chunk];
    else this.#chunks.push(chunk);
    this.#queuedBytes += Math.max(chunk.length, CHUNK_BYTES);
    this.#notify();
    if (this.#queuedBytes > HIGH_WATER_BYTES && !this.#judging) {
      this.#judging = true;
      queueMicrotask(() => this.#pauseIfBehind(controller));
    }
  }

  onResponseEnd(): void {
    this.#ended = true;
    this.#release();
    this.#notify();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (error instanceof InferenceError) this.#fail(error);
    else if (!this.#resend.try(getCode(error))) this.#fail(connectionError(error, this.#peer));
  }

  /** Returns the chunks that have come since the last read, at least one; undefined at the end of the body. */
  async read(): Promise<Uint8Array[] | undefined> {
    while (this.#chunks.length === 0) {
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#ended) return undefined;
      this.#wake = Promise.withResolvers<void>();
      await this.#wake.promise;
    }
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#queuedBytes = 0;
    if (this.#paused && !this.#ended) this.#resume();
    return chunks;
  }

  /**
   * Ends the exchange if it is still under way and not draining: the socket is closed and the upstream stops working.
   */
  cancel(): void {
    if (!this.#draining && !this.#ended && this.#failure === undefined) this.#fail(unwanted());
  }

  /**
   * Reads on without keeping anything: the answer is complete, and its connection can be used again once the body's end
   * has come. An upstream that does not end it within a second is cut off.
   */
  drain(): void {
    if (this.#ended || this.#failure !== undefined) return;
    this.#draining = true;
    this.#chunks = [];
    this.#hasHeard = true;
    this.#letGo();
    if (this.#paused) this.#controller?.resume();
  }

  /** Fails if a limit has passed. */
  checkLimits(): void {
    const { totalMs, firstByteMs, idleMs } = this.#timeouts;
    const now = performance.now();
    if (this.#hasHeard) this.#heardMs = now;
    this.#hasHeard = false;
    const silentMs = now - this.#heardMs;
    if (this.#draining) {
      if (silentMs >= DRAIN_MS) this.#fail(unwanted());
    } else if (now - this.#startedMs >= totalMs) this.#timeOut(`took longer than ${totalMs} ms`);
    // A slow reader is not a silent upstream.
    else if (this.#paused) return;
    else if (!this.#begun && silentMs >= firstByteMs) this.#timeOut(`sent nothing for ${firstByteMs} ms`);
    else if (this.#begun && silentMs >= idleMs) this.#timeOut(`sent nothing more for ${idleMs} ms`);
  }

  /**
   * Called after a read of the socket was parsed. A pause in its midst would have undici put the rest back before it
   * reads more, and parse both anew: of tiny chunks the whole answer came to lie there.
   */
  #pauseIfBehind(controller: Dispatcher.DispatchController): void {
    this.#judging = false;
    if (this.#queuedBytes <= HIGH_WATER_BYTES || this.#draining || this.#ended || this.#failure !== undefined) return;
    this.#paused = true;
    controller.pause();
  }

  #resume(): void {
    this.#paused = false;
    this.#hasHeard = true;
    this.#controller?.resume();
  }

  readonly #onAbort = (): void => {
    this.#fail(InferenceError.fromAbort(this.#signal));
  };

  #timeOut(what: string): void {
    this.#fail(new InferenceError(ErrorReason.UPSTREAM_TIMEOUT, `the ${this.#peer} ${what}`));
  }

  #fail(error: InferenceError): void {
    if (this.#failure !== undefined || this.#ended) return;
    this.#failure = error;
    this.#release();
    this.#settleHead.reject(error);
    this.#notify();
    this.#controller?.abort(error);
  }

  #release(): void {
    this.#sweep.remove(this);
    this.#letGo();
  }

  #letGo(): void {
    this.#resend.end();
    this.#signal.removeEventListener("abort", this.#onAbort);
  }

  #notify(): void {
    this.#wake?.resolve();
    this.#wake = undefined;
  }
}

function unwanted(): InferenceError {
  return new InferenceError(ErrorReason.CANCELED, "the answer is not needed any more");
}

/** Codes of what was read from a connection that stands, and is no HTTP, or more of it than headers may be. */
const NOT_HTTP = /^(?:HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES)/;

/** The system's own words (ECONNREFUSED 10.0.0.7:443) stay in the cause; the caller learns only what happened. */
function connectionError(error: Error, peer: string): InferenceError {
  const code = getCode(error);
  if (NOT_HTTP.test(code)) {
    const message = `the ${peer} sent invalid HTTP, or headers above 32 KiB (${code})`;
    return new InferenceError(ErrorReason.UPSTREAM_ERROR, message, { cause: error });
  }
  return new InferenceError(ErrorReason.UPSTREAM_UNREACHABLE, `the connection to the ${peer} failed (${code})`, {
    cause: error,
  });
}

function getCode(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
