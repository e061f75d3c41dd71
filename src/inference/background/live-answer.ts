import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { InferenceError } from "../../hub/error.ts";
import { startedEvent } from "../../hub/events.ts";
import { LiveLog } from "./live-log.ts";
import type { BackgroundEntry } from "./ports.ts";

/** An answer that is made in the background by this process: the log of its events. */
export class LiveAnswer extends LiveLog<GenerateEvent> {
  readonly entry: BackgroundEntry;
  readonly #stop = new AbortController();

  constructor(entry: BackgroundEntry) {
    const { id, input, startedAt } = entry;
    // Its callers know its id from now on. Who serves it is told by a second event of this kind.
    super([startedEvent({ id, model: input.model, createdAt: timestampFromDate(startedAt) })]);
    this.entry = entry;
  }

  /** Aborts when it is to be broken off. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Breaks it off; it ends a little later. */
  breakOff(reason: InferenceError): void {
    this.#stop.abort(reason);
  }
}
