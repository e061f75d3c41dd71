import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { StringBuilder } from "../../../lib/string-builder.ts";
import { decodeAnnotation } from "../../shared/annotations.ts";
import { brokenAnswer, textAt } from "../../shared/broken-answer.ts";
import { isJsonObject, type JsonObject, toObject, toText, unknownMembers } from "../../shared/json.ts";
import { decodeLogprobs } from "../../shared/logprobs.ts";
import { responsesJson } from "../../shared/responses-json.ts";
import { RESPONSES_ANNOTATIONS } from "../forms.ts";
import { LATE_ITEM_MEMBERS, MODELLED } from "../members.ts";
import { type BlockSink, earlyMembers, findRest, type ItemReader, lateMembers } from "./block-sink.ts";

/** Members of a part that have events of their own. */
const STREAMED = new Set(["type", "text", "refusal", "annotations", "logprobs"]);

interface OpenPart {
  readonly type: "text" | "refusal";
  readonly text: StringBuilder;
  annotations: number;
  hasLogprobs: boolean;
  /** True if the upstream has said what the part has become. */
  isDone: boolean;
  /** Members that became known with the end of the part. */
  extension: JsonObject | undefined;
}

/** Reads a message item; each of its parts is a block. */
export class MessageReader implements ItemReader {
  readonly #added: JsonObject;
  readonly #sink: BlockSink;
  /** Parts that were begun. */
  #parts = 0;
  /** The last part: its end waits for the end of the item, which may say more of the item. */
  #open: OpenPart | undefined;

  constructor(added: JsonObject, sink: BlockSink) {
    this.#added = added;
    this.#sink = sink;
  }

  read(event: JsonObject): boolean {
    switch (event.type) {
      case "response.content_part.added":
        this.#addPart(toObject(event.part));
        return true;
      case "response.output_text.delta":
        this.#textDelta("text", toText(event.delta), event.logprobs);
        return true;
      case "response.refusal.delta":
        this.#textDelta("refusal", toText(event.delta), undefined);
        return true;
      case "response.output_text.annotation.added":
        this.#annotate([event.annotation]);
        return true;
      case "response.output_text.done":
        this.#complete("text", event.text);
        return true;
      case "response.refusal.done":
        this.#complete("refusal", event.refusal);
        return true;
      case "response.content_part.done":
        this.#partDone(toObject(event.part));
        return true;
      default:
        return false;
    }
  }

  close(item: JsonObject | undefined): void {
    const content = readParts(item?.content);
    const current = this.#open === undefined ? undefined : content[this.#parts - 1];
    if (current !== undefined && this.#open?.isDone === false) this.#partDone(current);
    for (const part of content.slice(this.#parts)) {
      this.#addPart(part);
      this.#partDone(part);
    }
    const late = lateMembers(this.#added, item, MODELLED.message);
    if (this.#open !== undefined) this.#end(late && { [LATE_ITEM_MEMBERS]: late });
    // A message without parts has no block to stand for it; it is kept whole.
    else if (this.#parts === 0) this.#opaque(item ?? this.#added, "");
  }

  #addPart(part: JsonObject): void {
    if (this.#open !== undefined) this.#end(undefined);
    const type = partType(part);
    if (type !== undefined) this.#start(type);
  }

  #start(type: OpenPart["type"]): OpenPart {
    this.#sink.start({ kind: { case: type, value: {} }, ...this.#itemMembers() });
    this.#parts += 1;
    this.#open = {
      type,
      text: new StringBuilder(),
      annotations: 0,
      hasLogprobs: false,
      isDone: false,
      extension: undefined,
    };
    return this.#open;
  }

  #itemMembers() {
    const early = this.#parts === 0 ? earlyMembers(this.#added, MODELLED.message) : undefined;
    return { itemId: toText(this.#added.id), itemExtension: responsesJson(early) };
  }

  #textDelta(type: OpenPart["type"], text: string, logprobs: unknown): void {
    const open = this.#open ?? this.#start(type);
    const tokens = decodeLogprobs(logprobs, Dialect.RESPONSES);
    if (text === "" && tokens === undefined) return;
    open.text.add(text);
    open.hasLogprobs ||= tokens !== undefined;
    this.#sink.delta({ case: "text", value: text }, tokens);
  }

  #annotate(annotations: readonly unknown[]): void {
    if (annotations.length === 0) return;
    const open = this.#open ?? this.#start("text");
    open.annotations += annotations.length;
    for (const annotation of annotations.filter(isJsonObject)) {
      const value = decodeAnnotation(annotation, RESPONSES_ANNOTATIONS);
      this.#sink.delta({ case: "annotation", value });
    }
  }

  #complete(type: OpenPart["type"], whole: unknown, logprobs?: unknown): void {
    this.#textDelta(type, findRest(whole, this.#open?.text), logprobs);
  }

  /** Adds the rest of a part that was not streamed. A part of an unknown type comes as a whole here. */
  #partDone(part: JsonObject): void {
    const type = partType(part);
    if (type === undefined) {
      this.#opaque(part, toText(this.#added.id));
      return;
    }
    const open = this.#open ?? this.#start(type);
    const text = textAt(type === "refusal" ? part.refusal : part.text, `a part of the type ${type}`);
    this.#complete(type, text, open.hasLogprobs ? undefined : part.logprobs);
    if (Array.isArray(part.annotations)) this.#annotate(part.annotations.slice(open.annotations));
    open.extension = unknownMembers(part, STREAMED);
    open.isDone = true;
  }

  #opaque(object: JsonObject, itemId: string): void {
    const item = itemId === "" ? {} : this.#itemMembers();
    this.#sink.start({ kind: { case: "opaque", value: responsesJson(object) }, ...item });
    this.#sink.end();
    this.#parts += 1;
  }

  #end(late: JsonObject | undefined): void {
    const extension = this.#open?.extension;
    this.#sink.end(extension === undefined && late === undefined ? undefined : { ...extension, ...late });
    this.#open = undefined;
  }
}

/** Returns the parts of a message. Some servers write them as in a request: one text, or parts of the type `text`. */
function readParts(content: unknown): readonly JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "output_text", text: content }];
  if (!Array.isArray(content)) return [];
  if (!content.every(isJsonObject)) throw brokenAnswer("a part of a message is not an object");
  return content;
}

function partType({ type }: JsonObject): OpenPart["type"] | undefined {
  if (type === "output_text" || type === "text") return "text";
  return type === "refusal" ? "refusal" : undefined;
}
