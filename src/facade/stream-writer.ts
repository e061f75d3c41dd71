import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

/**
 * Writes the texts of a stream to a client. Over HTTP/1.1 each is a chunk that has its length in front: node:http would hand length,
 * text and line ends to the socket one by one, and here they are one text. HTTP/1.0 has no chunks, and HTTP/2 has frames of its own.
 */
export class StreamWriter {
  readonly #raw: ServerResponse;
  #isChunked = false;

  constructor(raw: ServerResponse) {
    this.#raw = raw;
  }

  /** Sends status 200 and headers; they go out together with the first text. */
  open(headers: OutgoingHttpHeaders): void {
    this.#raw.writeHead(200, headers);
    // Known now, since it depends on the client's version; from here on node:http passes on what it is given.
    this.#isChunked = this.#raw.chunkedEncoding === true;
    if (this.#isChunked) this.#raw.chunkedEncoding = false;
  }

  /** Writes a text that is not empty; returns whether the client can take more. */
  write(text: string): boolean {
    return this.#raw.write(this.#isChunked ? `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n` : text);
  }

  /** Ends the answer. */
  end(): void {
    if (this.#isChunked) this.#raw.end("0\r\n\r\n");
    else this.#raw.end();
  }

  /** Whether the client has not taken what was written. */
  get isFull(): boolean {
    return this.#raw.writableNeedDrain;
  }

  /** Resolves when the client has taken what was written, or has gone. */
  untilTaken(): Promise<void> {
    const raw = this.#raw;
    if (raw.destroyed || !raw.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        raw.off("drain", done);
        raw.off("close", done);
        resolve();
      };
      raw.on("drain", done);
      raw.on("close", done);
    });
  }
}
