import { Buffer } from "node:buffer";
import { type JsonObject, parseJson } from "../../formats/shared/json.ts";
import type { ByteCount } from "./frame-intake.ts";

/** Returns the items of an `input`: a text stands for one message. What has a wrong form is left to the decoder. */
export function readItems(input: unknown): readonly unknown[] | undefined {
  if (typeof input === "string") return [{ role: "user", content: input }];
  return Array.isArray(input) ? input : undefined;
}

/**
 * The conversation on a connection up to a response that is not stored; its client continues from there with new items
 * alone. It is kept as text, since objects take several times its bytes.
 */
export class Conversation {
  readonly #count: ByteCount;
  readonly #maxBytes: number;
  #id: string | undefined;
  #items: Buffer | undefined;

  constructor(count: ByteCount, maxBytes: number) {
    this.#count = count;
    this.#maxBytes = maxBytes;
  }

  /** Keeps the items that a response was given and those that it answered with, as far as there is room for them. */
  keep(id: string, items: readonly unknown[]): void {
    this.forget();
    const text = Buffer.from(JSON.stringify(items));
    if (text.length > this.#maxBytes) return;
    if (this.#count.take(text.length) === undefined) [this.#id, this.#items] = [id, text];
    else this.#count.giveBack(text.length);
  }

  forget(): void {
    if (this.#items !== undefined) this.#count.giveBack(this.#items.length);
    this.#id = undefined;
    this.#items = undefined;
  }

  /**
   * Returns a request with the conversation that it goes on with before its own items; the request itself where that is
   * not held here. It may be held in the store.
   */
  continueIn(body: JsonObject): JsonObject {
    const items = readItems(body.input);
    if (this.#items === undefined || body.previous_response_id !== this.#id || items === undefined) return body;
    const before = parseJson(this.#items.toString()) as readonly unknown[];
    return { ...body, previous_response_id: null, input: [...before, ...items] };
  }
}
