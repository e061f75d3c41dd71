import type { Connection } from "./connection.ts";
import type { RequestBody } from "./request-body.ts";

/**
 * The time that a reused connection may take to show that it is dead. That is known one way there and back after the
 * request was sent; one that dies later may have died with its server at work on the request.
 */
const DEAD_MS = 5000;

/** Codes of a connection that was closed by its other side. */
const CLOSED = /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/;

/** A connection that was used before, as it was when the request was sent on it. */
interface Reused {
  readonly connection: Connection;
  readonly bytesRead: number;
  readonly sentAt: number;
}

/**
 * Sends a request once more whose connection turns out dead. A server closes a connection that was idle for long, and
 * may do so just when the next request is on its way. Such a request was not worked on as a rule, and its caller would
 * have to send it again.
 */
export class Resend {
  readonly #body: RequestBody;
  readonly #sendAgain: () => void;
  #connection: (() => Connection | undefined) | undefined;
  #reused: Reused | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Milliseconds after which the connection died of the request that was sent once more; undefined if none was. */
  lostMs: number | undefined;

  /** `sendAgain` sends the body on a connection that was not used before. */
  constructor(body: RequestBody, sendAgain: () => void) {
    this.#body = body;
    this.#sendAgain = sendAgain;
  }

  /** The request is sent on what `current` returns at that moment. */
  sentOver(current: () => Connection | undefined): void {
    this.#connection = current;
  }

  /** The request goes out now. On a connection that was not used before it goes out once. */
  begin(): void {
    const connection = this.#connection?.();
    if (connection?.hasAnswered !== true) {
      this.end();
      return;
    }
    this.#reused = { connection, bytesRead: connection.bytesRead, sentAt: performance.now() };
    if (!this.#body.isSentInPieces) return;
    // A short body is held by its connection anyway.
    this.#timer = setTimeout(() => this.end(), DEAD_MS);
    this.#timer.unref();
  }

  /** An answer has begun. */
  answered(): void {
    const connection = this.#connection?.();
    if (connection !== undefined) connection.hasAnswered = true;
    this.end();
  }

  /** The request is not sent again from now on. */
  end(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#reused = undefined;
    this.#body.release();
  }

  /**
   * Sends the request once more if a code tells that its connection was dead before anything of an answer came; tells
   * whether it did.
   */
  try(code: string): boolean {
    if (this.#reused === undefined || !CLOSED.test(code)) return false;
    const { connection, bytesRead, sentAt } = this.#reused;
    const lostMs = performance.now() - sentAt;
    if (connection.bytesRead !== bytesRead || lostMs > DEAD_MS) return false;
    this.lostMs = lostMs;
    this.#connection = undefined;
    this.#sendAgain();
    this.end();
    return true;
  }
}
