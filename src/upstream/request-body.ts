/** A longer body is sent piece by piece: the connection holds on to what it is given whole until the answer has ended. */
const WHOLE_BYTES = 64 * 1024;

/**
 * The body of one request. It can be read once, and nobody holds it any longer when it is sent: an answer may take an hour, and a
 * prompt may have megabytes.
 */
export class RequestBody implements Iterable<Uint8Array>, Iterator<Uint8Array> {
  /** Bytes in UTF-8. */
  readonly length: number;
  #text: string;
  #bytes: Uint8Array | undefined;

  constructor(text: string) {
    this.#text = text;
    this.length = Buffer.byteLength(text);
  }

  /** Returns the body, as text or as its pieces. */
  take(): string | RequestBody {
    if (this.length > WHOLE_BYTES) return this;
    const text = this.#text;
    this.#text = "";
    return text;
  }

  // Not a generator, which would keep the text for as long as it is itself kept.
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
