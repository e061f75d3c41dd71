import type { GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { EventDecoder } from "../formats/shared/protocol.ts";
import { type AnswerLimits, checkMessage, tooMuch } from "./check-message.ts";

const NOTHING = new Uint8Array();

/** Gathers the body of a whole answer. It is read in one piece, so that it is bounded as one event of a stream is. */
export class WholeBody {
  readonly #decoder: EventDecoder;
  readonly #limits: AnswerLimits;
  /**
   * The bytes so far, with room behind them. Pieces may be single bytes: to keep each would cost many times as much.
   */
  #bytes: Uint8Array = NOTHING;
  #length = 0;

  constructor(decoder: EventDecoder, limits: AnswerLimits) {
    this.#decoder = decoder;
    this.#limits = limits;
  }

  /** Takes a piece. Throws UPSTREAM_ERROR when there is too much of it. */
  add(chunk: Uint8Array): void {
    const { eventBytes, wholeLimit = "eventBytes" } = this.#limits;
    const length = this.#length + chunk.length;
    if (length > eventBytes) throw tooMuch("an answer", `${eventBytes} bytes`, wholeLimit);
    // Nearly every answer is one piece, and is not copied.
    if (this.#length === 0) this.#bytes = chunk;
    else {
      if (length > this.#bytes.length) this.#bytes = roomFor(length, this.#bytes.subarray(0, this.#length));
      this.#bytes.set(chunk, this.#length);
    }
    this.#length = length;
  }

  /** Decodes what has come, which is all. Throws InferenceError. */
  end(): GenerateEvent[] {
    const text = new TextDecoder().decode(this.#bytes.subarray(0, this.#length));
    this.#bytes = NOTHING;
    checkMessage(text, "an answer", this.#limits);
    return this.#decoder.decodeWhole(text);
  }
}

function roomFor(length: number, begun: Uint8Array): Uint8Array {
  const larger = Buffer.allocUnsafe(Math.max(length, 2 * begun.length));
  larger.set(begun);
  return larger;
}
