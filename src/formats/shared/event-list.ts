import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";

/** Most events that one message of an upstream may stand for: what they cost is paid in one piece. */
const MOST_EVENTS = 50_000;

/** The events that a decoder has made of one message. */
export class EventList {
  #events: GenerateEvent[] = [];

  /** Throws UPSTREAM_ERROR for more than one message may stand for. */
  add(event: GenerateEvent): void {
    if (this.#events.length >= MOST_EVENTS) {
      const message = `one message of the upstream contains more than ${MOST_EVENTS} pieces of an answer`;
      throw new InferenceError(ErrorReason.UPSTREAM_ERROR, message);
    }
    // A list of one is made as such: one that grows has room for seventeen, and most messages stand for one event.
    if (this.#events.length === 0) this.#events = [event];
    else this.#events.push(event);
  }

  /** Adds one after another; throws as add() does. */
  addAll(events: readonly GenerateEvent[]): void {
    for (const event of events) this.add(event);
  }

  /** Returns the events since the last call. */
  take(): GenerateEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
