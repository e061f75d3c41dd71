/**
 * A longer body is sent piece by piece: the connection holds on to what it is given whole until the answer has ended.
 */
const WHOLE_BYTES = 64 * 1024;

/**
 * The body of one request. Nobody holds it any longer than it may have to be sent: an answer may take an hour, and a
 * prompt may have megabytes.
 */
export class RequestBody {
  /** Bytes. */
  readonly length: number;
  #bytes: Uint8Array | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.length = bytes.length;
  }

  /** Returns whether the connection that it is sent on holds no more of it than what is not sent yet. */
  get isSentInPieces(): boolean {
    return this.length > WHOLE_BYTES;
  }

  /** Returns whether it can be sent, or sent once more. */
  get isHeld(): boolean {
    return this.#bytes !== undefined;
  }

  /** Returns its bytes; none once it was let go of. */
  get bytes(): Uint8Array {
    return this.#bytes ?? new Uint8Array();
  }

  /** Returns another one of the same bytes, which is let go of by itself. */
  copy(): RequestBody {
    return new RequestBody(this.bytes);
  }

  /** Returns the body to send it, whole or as its pieces; nothing once it was let go of. */
  content(): Uint8Array | Iterable<Uint8Array> {
    return this.isSentInPieces ? new Pieces(this.bytes) : this.bytes;
  }

  /** Lets go of it: it is not sent again. */
  release(): void {
    this.#bytes = undefined;
  }
}

/** Not a generator, which would keep the bytes for as long as it is itself kept. */
class Pieces implements Iterable<Uint8Array>, Iterator<Uint8Array> {
  #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<Uint8Array> {
    const bytes = this.#bytes;
    this.#bytes = bytes.length > WHOLE_BYTES ? bytes.subarray(WHOLE_BYTES) : new Uint8Array();
    return bytes.length === 0
      ? { done: true, value: undefined }
      : { done: false, value: bytes.subarray(0, WHOLE_BYTES) };
  }
}
