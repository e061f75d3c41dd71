import { sseEvent } from "../../wire/sse.ts";

/** Numbers the events of one stream and frames them. */
export class Frames {
  #sequence = 0;

  /** Frames an event; `members` is the text of its members beside type and number: `"item_id":"a","delta":"b"`. */
  event(type: string, members: string): string {
    return sseEvent(type, `{"type":"${type}","sequence_number":${this.#sequence++},${members}}`);
  }

  /** Takes the next number, for an event that is written by other means. */
  next(): number {
    return this.#sequence++;
  }
}
