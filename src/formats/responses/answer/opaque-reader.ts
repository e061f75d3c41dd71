import type { JsonObject } from "../../shared/json.ts";
import { responsesJson } from "../../shared/responses-json.ts";
import type { BlockSink, ItemReader } from "./block-sink.ts";

/**
 * Reads an item that only this format knows, such as a hosted tool's call. Its announcement and its progress go on as
 * they come, so that a client of this format sees them live; the item is a block when it is whole.
 */
export class OpaqueReader implements ItemReader {
  readonly #added: JsonObject;
  readonly #sink: BlockSink;

  constructor(added: JsonObject, sink: BlockSink, announcement: string | undefined) {
    this.#added = added;
    this.#sink = sink;
    if (announcement !== undefined) sink.raw(announcement);
  }

  read(): boolean {
    return false;
  }

  close(item: JsonObject | undefined): void {
    this.#sink.start({ kind: { case: "opaque", value: responsesJson(item ?? this.#added) } });
    this.#sink.end();
  }
}
