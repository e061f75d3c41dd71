import type { BlockDelta, BlockEnd, GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { choiceEvent, createEvent } from "../../hub/events.ts";
import type { EventDecoder } from "./protocol.ts";

/**
 * Has a decoder tell whole characters alone: the two halves of a surrogate pair that an upstream cut stand in one
 * delta, and a half without its other one is U+FFFD. Clients in other languages than JavaScript cannot read halves.
 */
export function withWholeCharacters(decoder: EventDecoder): EventDecoder {
  const characters = new WholeCharacters();
  return {
    decode: (message) => characters.read(decoder.decode(message)),
    close: () => characters.read(decoder.close()),
    decodeWhole: (body) => characters.read(decoder.decodeWhole(body)),
  };
}

/** A delta of text that is held back. */
interface Held {
  readonly half: string;
  /** The delta, whose text is the half. */
  readonly said: BlockDelta;
}

class WholeCharacters {
  /** First halves at the end of a delta, by block. */
  readonly #held = new Map<number, Held>();
  /** The same of further choices. */
  readonly #choices = new Map<number, WholeCharacters>();

  read(events: GenerateEvent[]): GenerateEvent[] {
    return this.#held.size === 0 && this.#choices.size === 0 && events.every(isWhole)
      ? events
      : events.flatMap((event) => this.#mend(event));
  }

  #mend(made: GenerateEvent): GenerateEvent[] {
    const { event } = made;
    switch (event.case) {
      case "choiceEvent":
        return this.#mendChoice(event.value);
      case "blockDelta":
        return [this.#mendDelta(event.value)];
      case "blockEnd":
        return [...this.#endHeld(event.value), made];
      case "blockStart":
        return [mendStart(made)];
      default:
        return [made];
    }
  }

  #mendChoice({ choice, event }: Extract<GenerateEvent["event"], { case: "choiceEvent" }>["value"]): GenerateEvent[] {
    const known = this.#choices.get(choice) ?? new WholeCharacters();
    this.#choices.set(choice, known);
    return known
      .read([createEvent(event)])
      .flatMap(({ event: inner }) =>
        inner.case === "started" || inner.case === "choiceEvent" ? [] : [choiceEvent(choice, inner)],
      );
  }

  #mendDelta(blockDelta: BlockDelta): GenerateEvent {
    const part = getText(blockDelta);
    if (part === undefined) return createEvent({ case: "blockDelta", value: blockDelta });
    const text = (this.#held.get(blockDelta.index)?.half ?? "") + part;
    this.#held.delete(blockDelta.index);
    const end = isFirstHalf(text) ? text.length - 1 : text.length;
    if (end < text.length) this.#held.set(blockDelta.index, { half: text.slice(end), said: blockDelta });
    return withText(blockDelta, text.slice(0, end).toWellFormed());
  }

  #endHeld({ index }: BlockEnd): GenerateEvent[] {
    const held = this.#held.get(index);
    this.#held.delete(index);
    return held === undefined ? [] : [withText({ ...held.said, logprobs: undefined, extension: undefined }, "\ufffd")];
  }
}

/** Returns the text that a delta adds; undefined where it adds something else. */
function getText({ delta }: BlockDelta): string | undefined {
  switch (delta.case) {
    case "text":
    case "thinking":
    case "arguments":
      return delta.value;
    case "summary":
      return delta.value.text;
    default:
      return undefined;
  }
}

function withText(blockDelta: BlockDelta, text: string): GenerateEvent {
  const { delta } = blockDelta;
  if (delta.case === "summary") {
    const value = { ...delta.value, text };
    return createEvent({ case: "blockDelta", value: { ...blockDelta, delta: { case: "summary", value } } });
  }
  if (delta.case !== "text" && delta.case !== "thinking" && delta.case !== "arguments") {
    return createEvent({ case: "blockDelta", value: blockDelta });
  }
  return createEvent({ case: "blockDelta", value: { ...blockDelta, delta: { case: delta.case, value: text } } });
}

function isWhole({ event }: GenerateEvent): boolean {
  if (event.case === "choiceEvent") return false;
  if (event.case === "blockStart") {
    const { kind } = event.value.block ?? {};
    return kind?.case !== "text" || kind.value.text.isWellFormed();
  }
  if (event.case !== "blockDelta") return true;
  return getText(event.value)?.isWellFormed() !== false;
}

function mendStart(made: GenerateEvent): GenerateEvent {
  if (made.event.case !== "blockStart" || isWhole(made)) return made;
  const { block } = made.event.value;
  if (block?.kind.case !== "text") return made;
  const value = { ...block.kind.value, text: block.kind.value.text.toWellFormed() };
  return createEvent({
    case: "blockStart",
    value: { ...made.event.value, block: { ...block, kind: { case: "text", value } } },
  });
}

/** Tells whether a text ends in the first half of a surrogate pair. */
function isFirstHalf(text: string): boolean {
  const code = text.charCodeAt(text.length - 1);
  return code >= 0xd800 && code <= 0xdbff;
}
