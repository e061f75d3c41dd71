import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { untilTaken } from "./until-taken.ts";

/** Writes the texts of a stream to a client. */
export class StreamWriter {
  readonly #raw: ServerResponse;

  constructor(raw: ServerResponse) {
    this.#raw = raw;
  }

  /** Sends status 200 and headers; they go out together with the first text. */
  open(headers: OutgoingHttpHeaders): void {
    this.#raw.writeHead(200, headers);
  }

  /** Writes a text that is not empty; returns whether the client can take more. */
  write(text: string): boolean {
    return this.#raw.write(text);
  }

  /** Ends the answer. */
  end(): void {
    this.#raw.end();
  }

  /** Returns whether the client has not taken what was written. */
  get isFull(): boolean {
    return this.#raw.writableNeedDrain;
  }

  /** Resolves when the client has taken what was written, or has gone; undefined where it can take more. */
  untilTaken(): Promise<void> | undefined {
    return untilTaken(this.#raw);
  }
}
