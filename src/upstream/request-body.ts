/** A longer body is sent piece by piece: the connection holds on to what it is given whole until the answer has ended. */
const WHOLE_BYTES = 64 * 1024;

/**
 * The body of one request. Nobody holds it any longer than it may have to be sent: an answer may take an hour, and a prompt may
 * have megabytes.
 */
export class RequestBody {
  /** Bytes in UTF-8. */
  readonly length: number;
  #text: string | undefined;

  constructor(text: string) {
    this.#text = text;
    this.length = Buffer.byteLength(text);
  }

  /** Whether the connection that it is sent on holds no more of it than what is not sent yet. */
  get isSentInPieces(): boolean {
    return this.length > WHOLE_BYTES;
  }

  /** Whether it can be sent, or sent once more. */
  get isHeld(): boolean {
    return this.#text !== undefined;
  }

  /** Returns the body to send it, as text or as its pieces; nothing once it was let go of. */
  content(): string | Iterable<Uint8Array> {
    const text = this.#text ?? "";
    return this.isSentInPieces ? new Pieces(text) : text;
  }

  /** Lets go of it: it is not sent again. */
  release(): void {
    this.#text = undefined;
  }
}

/** Not a generator, which would keep the text for as long as it is itself kept. */
class Pieces implements Iterable<Uint8Array>, Iterator<Uint8Array> {
  #text: string;
  #bytes: Uint8Array | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(): IteratorResult<Uint8Array> {
    const bytes = this.#bytes ?? Buffer.from(this.#text);
    this.#text = "";
    this.#bytes = bytes.length > WHOLE_BYTES ? bytes.subarray(WHOLE_BYTES) : new Uint8Array();
    return bytes.length === 0
      ? { done: true, value: undefined }
      : { done: false, value: bytes.subarray(0, WHOLE_BYTES) };
  }
}
