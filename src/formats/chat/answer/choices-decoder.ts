import type { Finished, GenerateEvent } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { choiceEvent, finishedEvent } from "../../../hub/events.ts";
import { brokenAnswer } from "../../shared/broken-answer.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../shared/json.ts";
import type { EventDecoder } from "../../shared/protocol.ts";
import type { SseMessage } from "../../shared/sse.ts";

/** Reads an answer of several choices: each by a decoder of its own, which is given what the answer says of it. */
export class ChoicesDecoder implements EventDecoder {
  readonly #decoders: readonly EventDecoder[];
  #end: Finished | undefined;

  constructor(count: number, create: () => EventDecoder) {
    this.#decoders = Array.from({ length: count }, create);
  }

  decode(message: SseMessage): GenerateEvent[] {
    const chunk = readChunk(message.data);
    if (chunk === undefined) return this.#each((decoder) => decoder.decode(message));
    return this.#each((decoder, position) => {
      const own = this.#of(position, chunk);
      return own === undefined ? [] : decoder.decode({ ...message, data: JSON.stringify(own) });
    });
  }

  close(): GenerateEvent[] {
    return this.#each((decoder) => decoder.close());
  }

  decodeWhole(body: string): GenerateEvent[] {
    const chunk = readChunk(body);
    return this.#each((decoder, position) =>
      decoder.decodeWhole(chunk === undefined ? body : JSON.stringify(this.#of(position, chunk) ?? chunk)),
    );
  }

  /** Reads what each decoder is given; the end of the answer comes behind the ends of its choices. */
  #each(read: (decoder: EventDecoder, position: number) => GenerateEvent[]): GenerateEvent[] {
    const events = this.#decoders.flatMap((decoder, position) =>
      read(decoder, position).flatMap((event) => this.#place(event, position)),
    );
    if (this.#end === undefined) return events;
    const end = finishedEvent(this.#end);
    this.#end = undefined;
    return [...events, end];
  }

  #place({ event }: GenerateEvent, position: number): GenerateEvent[] {
    if (event.case === "finished") {
      const { usage: _ofAll, ...own } = event.value;
      if (position === 0) this.#end = event.value;
      return [choiceEvent(position, { case: "finished", value: own })];
    }
    if (position === 0) return [{ $typeName: "attune.inference.v1.GenerateEvent", event }];
    return event.case === "started" || event.case === "choiceEvent" ? [] : [choiceEvent(position, event)];
  }

  /** Returns the chunk with one choice alone; undefined where it says nothing of it. The first has what is of all. */
  #of(position: number, chunk: JsonObject): JsonObject | undefined {
    const choices = Array.isArray(chunk.choices) ? chunk.choices.filter(isJsonObject) : [];
    const unknown = choices.find(({ index = 0 }) => !(typeof index === "number" && index < this.#decoders.length));
    if (unknown !== undefined) throw brokenAnswer(`it has a choice with the index ${String(unknown.index)}`);
    const own = choices.filter(({ index = 0 }) => index === position).map((choice) => ({ ...choice, index: 0 }));
    const { usage: _ofAll, ...further } = chunk;
    if (position === 0) return { ...chunk, choices: own };
    return own.length === 0 && chunk.error === undefined ? undefined : { ...further, choices: own };
  }
}

/** Undefined for what is no chunk, of which each decoder says the same. */
function readChunk(text: string): JsonObject | undefined {
  try {
    const chunk = parseJson(text);
    return isJsonObject(chunk) && Array.isArray(chunk.choices) ? chunk : undefined;
  } catch {
    return undefined;
  }
}
