import { create } from "@bufbuild/protobuf";
import {
  type GenerateEvent,
  GenerateEventSchema,
  type GenerateResponse,
  StartedSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { PieceRecorder } from "../checks/piece-recorder.ts";
import { ResponseFold } from "../checks/response-fold.ts";
import { replayEvents } from "../history/replay-events.ts";

/** Most events that are handed on at once: to write out a long answer in one go would hold up all others. */
const MAX_BATCH = 500;

/** An answer that is kept back. It takes as much room as its texts, and some bytes for each event. */
export class BufferedAnswer {
  readonly #id: string;
  readonly #fold = new ResponseFold();
  readonly #pieces = new PieceRecorder();

  /** `id` is the inference's. */
  constructor(id: string) {
    this.#id = id;
  }

  add(event: GenerateEvent): void {
    const own = event.event.case === "started" ? withId(event, this.#id) : event;
    this.#pieces.add(own);
    this.#fold.add(own);
  }

  get isFinished(): boolean {
    return this.#fold.isFinished;
  }

  /** The answer, as far as it has come. */
  get response(): GenerateResponse {
    return this.#fold.response;
  }

  /** Its events as they came, in batches. */
  *batches(): Generator<GenerateEvent[]> {
    let batch: GenerateEvent[] = [];
    for (const event of replayEvents({ ...this.response, pieces: this.#pieces.message })) {
      batch.push(event);
      if (batch.length < MAX_BATCH) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }
}

/** Returns the event with the id; an answer without one has not begun. */
function withId({ event }: GenerateEvent, id: string): GenerateEvent {
  if (event.case !== "started") return create(GenerateEventSchema, { event });
  return create(GenerateEventSchema, {
    event: { case: "started", value: create(StartedSchema, { ...event.value, id }) },
  });
}
