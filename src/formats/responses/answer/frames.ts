import type { JsonObject } from "../../shared/json.ts";
import { sseEvent } from "../../shared/sse.ts";

/** Numbers the events of one stream and frames them. */
export class Frames {
  readonly #after: number;
  #sequence = 0;

  /** Events up to the number `after` count, and are not framed: their reader has them. */
  constructor(after = -1) {
    this.#after = after;
  }

  /** Frames an event; `members` is the text of its members beside type and number: `"item_id":"a","delta":"b"`. */
  event(type: string, members: string): string {
    const number = this.#sequence++;
    if (number <= this.#after) return "";
    return sseEvent(type, `{"type":"${type}","sequence_number":${number},${members}}`);
  }

  /** Frames an event that was numbered elsewhere, under the number that it has here. */
  renumbered(type: string, event: JsonObject): string {
    const number = this.#sequence++;
    if (number <= this.#after) return "";
    return sseEvent(type, JSON.stringify({ ...event, sequence_number: number }));
  }
}
