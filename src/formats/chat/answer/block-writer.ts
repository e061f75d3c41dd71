import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type ContentBlockSchema,
  Dialect,
  type Logprobs,
  ToolKind,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import {
  type BlockDelta,
  type GenerateEvent,
  SummaryDeltaSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { blockDeltaEvent, blockEndEvent, blockStartEvent } from "../../../hub/events.ts";
import { decodeAnnotation } from "../../shared/annotations.ts";
import { EventList } from "../../shared/event-list.ts";
import type { JsonObject } from "../../shared/json.ts";
import { decodeLogprobs } from "../../shared/logprobs.ts";
import { CHAT_ANNOTATIONS } from "../forms.ts";
import { chatJson } from "../raw-json.ts";

/** Something that a chunk says beside tool calls. */
export interface TextPiece {
  /**
   * `summary` is reasoning too; `signature` seals the reasoning so far; `encrypted` is reasoning that cannot be read.
   */
  readonly kind: "text" | "refusal" | "thinking" | "summary" | "signature" | "encrypted";
  readonly text: string;
  /** Members of the entry that only this dialect knows. */
  readonly extra?: JsonObject | undefined;
  /** Log probabilities of the text. */
  readonly logprobs?: readonly unknown[] | undefined;
}

/** A call of a tool, as its block begins. */
interface CallHead {
  readonly id: string;
  readonly name: string;
  readonly isCustom: boolean;
  readonly extra: JsonObject | undefined;
}

type KindInit = MessageInitShape<typeof ContentBlockSchema>["kind"];

type OpenBlock = "text" | "refusal" | "thinking" | "call" | "encrypted";

/** Writes blocks one after another: what is of another kind than the open block ends it. */
export class BlockWriter {
  readonly #events = new EventList();
  #index = -1;
  #open: OpenBlock | undefined;
  #logprobs: unknown[] = [];
  readonly #sealsReasoning: boolean;
  /** Characters of text so far, and of those before the open block: the format counts through the whole answer. */
  #characters = 0;
  #charactersBefore = 0;

  /** `sealsReasoning`: reasoning whose maker gave it no sealed form gets an empty one. */
  constructor({ sealsReasoning }: { readonly sealsReasoning: boolean }) {
    this.#sealsReasoning = sealsReasoning;
  }

  /** Returns the events written since the last call. */
  take(): GenerateEvent[] {
    return this.#events.take();
  }

  /** Adds an event of another kind. */
  push(event: GenerateEvent): void {
    this.#events.add(event);
  }

  /** Keeps log probabilities for the delta that is written next. */
  attachLogprobs(tokens: readonly unknown[] = []): void {
    // One by one: a list of any length is more than a call takes arguments.
    for (const token of tokens) this.#logprobs.push(token);
  }

  /** Adds an annotation to the open text. */
  annotate(annotation: JsonObject): void {
    this.#ensure("text");
    const value = decodeAnnotation(annotation, CHAT_ANNOTATIONS, this.#charactersBefore);
    this.#events.add(blockDeltaEvent(this.#index, { case: "annotation", value }));
  }

  say({ kind, text, extra, logprobs }: TextPiece): void {
    if (kind === "encrypted") this.#start(kind, { case: "redactedThinking", value: { data: text } }, extra);
    else {
      this.#ensure(kind === "text" || kind === "refusal" ? kind : "thinking");
      if (logprobs !== undefined) this.attachLogprobs(logprobs);
      this.#grow(contentDelta(kind, text), extra);
    }
    if (kind === "signature" || kind === "encrypted") this.#close();
  }

  startCall({ id, name, isCustom, extra }: CallHead): void {
    const kind = isCustom ? ToolKind.CUSTOM : ToolKind.FUNCTION;
    this.#start("call", { case: "toolUse", value: { id, name, arguments: "", kind } }, extra);
  }

  /** A call of a type that only this format knows. */
  opaque(call: JsonObject): void {
    this.end();
    this.#index += 1;
    this.#events.add(blockStartEvent(this.#index, { kind: { case: "opaque", value: chatJson(call) } }));
    this.#events.add(blockEndEvent(this.#index));
  }

  growCall(text: string): void {
    if (text !== "") this.#grow({ case: "arguments", value: text });
  }

  /** Ends the open block, if there is one. */
  end(extra?: JsonObject): void {
    if (this.#open === "thinking" && this.#sealsReasoning) this.#grow({ case: "opaque", value: "" });
    this.#close(extra);
  }

  #close(extra?: JsonObject): void {
    if (this.#open === undefined) return;
    if (this.#logprobs.length > 0 && this.#open !== "encrypted") this.#grow(emptyDelta(this.#open));
    const event = blockEndEvent(this.#index);
    if (extra !== undefined && event.event.case === "blockEnd") event.event.value.extension = chatJson(extra);
    this.#events.add(event);
    this.#open = undefined;
  }

  /** Ends what is open. Log probabilities that no delta took get a text of their own. */
  finish(): void {
    this.end();
    if (this.#logprobs.length === 0) return;
    this.say({ kind: "text", text: "" });
    this.end();
  }

  #ensure(kind: "text" | "refusal" | "thinking"): void {
    if (this.#open === kind) return;
    this.#start(kind, { case: kind, value: { text: "" } });
    this.#charactersBefore = this.#characters;
  }

  #start(open: OpenBlock, kind: KindInit, extra?: JsonObject): void {
    this.end();
    this.#index += 1;
    this.#events.add(blockStartEvent(this.#index, { kind, extension: chatJson(extra) }));
    this.#open = open;
  }

  #grow(delta: BlockDelta["delta"], extra?: JsonObject): void {
    const event = blockDeltaEvent(this.#index, delta);
    if (event.event.case === "blockDelta") {
      if (extra !== undefined) event.event.value.extension = chatJson(extra);
      const logprobs = this.#logprobs.length > 0 ? this.#takeLogprobs() : undefined;
      if (logprobs !== undefined) event.event.value.logprobs = logprobs;
    }
    if (this.#open === "text" && delta.case === "text") this.#characters += delta.value.length;
    this.#events.add(event);
  }

  #takeLogprobs(): Logprobs | undefined {
    const logprobs = decodeLogprobs(this.#logprobs, Dialect.CHAT);
    this.#logprobs = [];
    return logprobs;
  }
}

function emptyDelta(open: Exclude<OpenBlock, "encrypted">): BlockDelta["delta"] {
  if (open === "call") return { case: "arguments", value: "" };
  return { case: open === "thinking" ? "thinking" : "text", value: "" };
}

function contentDelta(kind: Exclude<TextPiece["kind"], "encrypted">, text: string): BlockDelta["delta"] {
  switch (kind) {
    case "text":
    case "refusal":
      return { case: "text", value: text };
    case "thinking":
      return { case: "thinking", value: text };
    case "summary":
      return { case: "summary", value: create(SummaryDeltaSchema, { text }) };
    case "signature":
      return { case: "opaque", value: text };
    default:
      return kind satisfies never;
  }
}
