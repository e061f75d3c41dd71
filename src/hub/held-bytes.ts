import type { EventEmitter } from "node:events";
import type { Capacity, CapacityUser } from "./capacity.ts";
import type { InferenceError } from "./error.ts";

/** Of so few bytes nothing is counted once they have come: their request has as many in other objects. */
const SMALL_BYTES = 16 * 1024;

/** The bytes of a request in its caller's share: those that come, and what is kept of them until it is answered. */
export class HeldBytes {
  readonly #capacity: Capacity;
  readonly #user: CapacityUser;
  #bytes = 0;
  #answer: EventEmitter | undefined;
  /** Closes with the answer, also where nothing is held for it. */
  #closing: EventEmitter | undefined;
  #isOver = false;

  constructor(capacity: Capacity, user: CapacityUser) {
    this.#capacity = capacity;
    this.#user = user;
  }

  /** Takes bytes that come; returns why there is no room for them, and takes none then. */
  take(bytes: number): InferenceError | undefined {
    const refusal = this.#capacity.check(this.#user, bytes);
    if (refusal === undefined) this.#set(this.#bytes + bytes);
    return refusal;
  }

  /** Holds as many as a request has, until its answer closes; returns why there is no room for more than have come. */
  holdUntilClosed(bytes: number, answer: EventEmitter): InferenceError | undefined {
    this.#closing = answer;
    const more = bytes - this.#bytes;
    const refusal = more > 0 ? this.take(more) : undefined;
    if (refusal !== undefined || bytes <= SMALL_BYTES) this.end();
    else if (this.#answer === undefined) this.#answer = answer.once("close", () => this.#close());
    return refusal;
  }

  /**
   * Holds the bytes that an answer will have, beside those of its request, until it closes, which it has not yet;
   * returns why there is no room for them.
   */
  holdAnswer(bytes: number): InferenceError | undefined {
    return this.#closing && this.holdUntilClosed(this.#bytes + bytes, this.#closing);
  }

  /** Holds what a request is kept as from now on, in place of what it had. */
  resize(bytes: number): void {
    if (this.#answer !== undefined && !this.#isOver) this.#set(bytes);
  }

  /** Gives all back. */
  end(): void {
    this.#set(0);
  }

  #close(): void {
    this.#isOver = true;
    this.end();
  }

  #set(bytes: number): void {
    this.#capacity.add(this.#user, bytes - this.#bytes);
    this.#bytes = bytes;
  }
}
