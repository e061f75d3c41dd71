import { create } from "@bufbuild/protobuf";
import { LogprobsSchema, type TokenLogprob } from "../../../../gen/attune/content/v1/content_pb.ts";
import type {
  BlockDelta,
  BlockEnd,
  BlockStart,
  GenerateEvent,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { blockDeltaEvent, blockEndEvent, blockStartEvent, choiceEvent, createEvent } from "../../../hub/events.ts";
import { EventList } from "../event-list.ts";
import type { EventDecoder } from "../protocol.ts";
import { TagSplitter, type TextPart } from "./tag-splitter.ts";

/**
 * Has a decoder tell thinking between tags at the beginning of a text as reasoning. `seals`: for callers of another
 * format, reasoning that its maker did not seal gets an empty sealed form, as decoders give it. `opens`: the first text
 * begins inside thinking, unless thinking came before it.
 */
export function withThinkTags(decoder: EventDecoder, seals: boolean, opens = false): EventDecoder {
  const tags = new ThinkTags(seals, opens);
  return {
    decode: (message) => tags.read(decoder.decode(message)),
    close: () => tags.read(decoder.close()),
    decodeWhole: (body) => tags.read(decoder.decodeWhole(body)),
  };
}

class ThinkTags {
  readonly #seals: boolean;
  readonly #opens: boolean;
  /** True until thinking, or a text, has begun. */
  #isFirst = true;
  readonly #events = new EventList();
  /** Splitters of further choices. */
  readonly #choices = new Map<number, ThinkTags>();
  /** Blocks so far that the upstream did not number. */
  #shift = 0;
  /** The open text as it began, and what splits it. */
  #text: { readonly start: BlockStart; readonly splitter: TagSplitter } | undefined;
  #open: "thinking" | "text" | undefined;
  /** Members of a text that has not begun. */
  #aside: BlockDelta[] = [];
  #tokens: TokenLogprob[] = [];

  constructor(seals: boolean, opens: boolean) {
    this.#seals = seals;
    this.#opens = opens;
  }

  read(events: readonly GenerateEvent[]): GenerateEvent[] {
    for (const event of events) this.#read(event);
    return this.#events.take();
  }

  #read(made: GenerateEvent): void {
    const { event } = made;
    if (event.case === "choiceEvent") this.#readChoice(made);
    else if (event.case === "blockStart" && event.value.block?.kind.case === "text") this.#begin(event.value);
    else if (event.case === "blockDelta") this.#grow(event.value);
    else if (event.case === "blockEnd") this.#end(event.value);
    else if (event.case === "blockStart") {
      if (event.value.block?.kind.case === "thinking") this.#isFirst = false;
      this.#add(createEvent({ ...event, value: this.#moved(event.value) }));
    } else this.#add(made);
  }

  #readChoice(made: GenerateEvent): void {
    if (made.event.case !== "choiceEvent") return;
    const { choice, event } = made.event.value;
    const known = this.#choices.get(choice) ?? new ThinkTags(this.#seals, this.#opens);
    this.#choices.set(choice, known);
    for (const { event: inner } of known.read([createEvent(event)])) {
      if (inner.case !== "started" && inner.case !== "choiceEvent") this.#add(choiceEvent(choice, inner));
    }
  }

  #begin(start: BlockStart): void {
    this.#text = { start, splitter: new TagSplitter(this.#opens && this.#isFirst) };
    this.#isFirst = false;
    const { block } = start;
    if (block?.kind.case !== "text" || block.kind.value.text === "") return;
    const { text } = block.kind.value;
    const empty = { ...block, kind: { ...block.kind, value: { ...block.kind.value, text: "" } } };
    this.#text = { ...this.#text, start: { ...start, block: empty } };
    for (const part of this.#text.splitter.feed(text)) this.#say(part);
  }

  #grow(blockDelta: BlockDelta): void {
    if (this.#text === undefined) this.#add(createEvent({ case: "blockDelta", value: this.#moved(blockDelta) }));
    else if (blockDelta.delta.case !== "text") {
      if (this.#open === "text") this.#add(createEvent({ case: "blockDelta", value: this.#moved(blockDelta) }));
      else this.#aside.push(blockDelta);
    } else {
      for (const token of blockDelta.logprobs?.tokens ?? []) this.#tokens.push(token);
      const parts = this.#text.splitter.feed(blockDelta.delta.value);
      for (const [index, part] of parts.entries()) this.#say(part, index === parts.length - 1 ? blockDelta : undefined);
    }
  }

  /** Says a part; `source` is the delta whose other members go with it. */
  #say({ kind, text }: TextPart, source?: BlockDelta): void {
    if (kind === "thinking") this.#think();
    else this.#speak();
    const event = blockDeltaEvent(this.#index(), { case: kind, value: text });
    if (event.event.case === "blockDelta" && source !== undefined) {
      event.event.value.extension = source.extension;
      event.event.value.logprobs = this.#takeTokens();
    }
    this.#add(event);
  }

  #think(): void {
    if (this.#open === "thinking") return;
    this.#open = "thinking";
    this.#add(blockStartEvent(this.#index(), { kind: { case: "thinking", value: { text: "" } } }));
  }

  #speak(): void {
    if (this.#text === undefined || this.#open === "text") return;
    if (this.#open === "thinking") {
      this.#endThinking();
      this.#shift += 1;
    }
    this.#open = "text";
    this.#add(createEvent({ case: "blockStart", value: this.#moved(this.#text.start) }));
    for (const aside of this.#aside) this.#add(createEvent({ case: "blockDelta", value: this.#moved(aside) }));
    this.#aside = [];
  }

  #endThinking(): void {
    if (this.#seals) this.#add(blockDeltaEvent(this.#index(), { case: "opaque", value: "" }));
    this.#add(blockEndEvent(this.#index()));
  }

  #end(end: BlockEnd): void {
    if (this.#text !== undefined) {
      for (const part of this.#text.splitter.end()) this.#say(part);
      const isLeft = this.#aside.length > 0 || this.#tokens.length > 0 || end.extension !== undefined;
      if (this.#open === undefined || isLeft) this.#speak();
      if (this.#tokens.length > 0) this.#say({ kind: "text", text: "" }, { ...this.#emptyDelta() });
      if (this.#open === "thinking") this.#endThinking();
    }
    if (this.#open !== "thinking") this.#add(createEvent({ case: "blockEnd", value: this.#moved(end) }));
    this.#text = undefined;
    this.#open = undefined;
  }

  #emptyDelta(): BlockDelta {
    return { $typeName: "attune.inference.v1.BlockDelta", index: 0, delta: { case: undefined } };
  }

  #takeTokens() {
    if (this.#tokens.length === 0) return undefined;
    const tokens = this.#tokens;
    this.#tokens = [];
    return create(LogprobsSchema, { tokens });
  }

  #index(): number {
    return (this.#text?.start.index ?? 0) + this.#shift;
  }

  #moved<T extends { readonly index: number }>(value: T): T {
    return this.#shift === 0 ? value : { ...value, index: value.index + this.#shift };
  }

  #add(event: GenerateEvent): void {
    this.#events.add(event);
  }
}
