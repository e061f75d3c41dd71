import { create } from "@bufbuild/protobuf";
import {
  type Annotation,
  AnnotationsSchema,
  type ContentBlock,
  ContentBlockSchema,
  type Logprobs,
  LogprobsSchema,
  type RawJson,
  RawJsonSchema,
  type Usage,
} from "../../../gen/attune/content/v1/content_pb.ts";
import {
  type BlockDelta,
  type FurtherChoice,
  FurtherChoiceSchema,
  type GenerateEvent,
  type GenerateResponse,
  GenerateResponseSchema,
  ServingSchema,
  type SummaryDelta,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { StringBuilder } from "../../lib/string-builder.ts";
import { mergeExtensions } from "./merge-extension.ts";

/** Folds a stream into the whole answer; what has come so far can be read at any time. */
export class ResponseFold {
  readonly #response: GenerateResponse = create(GenerateResponseSchema);
  /**
   * Pieces of the open block's extension; they are merged when the block ends, or when somebody asks for the answer.
   */
  #pieces: RawJson[] = [];
  /** The block that grows, and what it grows by; put into it at the same time. */
  #growing: GrowingBlock | undefined;
  #promptUsage: Usage | undefined;
  /** The further choices, where there are several. */
  readonly #choices: ResponseFold[] = [];

  /** Adds an event. Events are not changed: they are shared with whoever sends them on. */
  add(event: Pick<GenerateEvent, "event">): void {
    const { case: kind, value } = event.event;
    switch (kind) {
      case "started":
        this.#response.id = value.id;
        this.#response.model = value.model;
        if (value.createdAt !== undefined) this.#response.createdAt = value.createdAt;
        if (value.serving !== undefined) this.#response.serving = value.serving;
        this.#promptUsage = value.usage;
        return;
      case "blockStart":
        this.#settle();
        if (value.block !== undefined) this.#response.content.push(ownBlock(value.block));
        return;
      case "blockDelta":
        this.#grow(value);
        return;
      case "blockEnd":
        if (value.extension !== undefined) this.#pieces.push(value.extension);
        this.#settle();
        return;
      case "finished":
        this.#response.finished = value;
        this.#lose(value.translationLosses);
        return;
      case "choiceEvent":
        // The end of the first choice comes once more, with the end of all.
        if (value.choice > 0) this.#choice(value.choice).add({ event: value.event });
        return;
      case "raw":
      case undefined:
        return;
      default:
        kind satisfies never;
    }
  }

  /** The answer as far as it has come. What grows is joined for each reader: not to be asked for at every event. */
  get response(): GenerateResponse {
    this.#settle();
    if (this.#choices.length > 0)
      this.#response.furtherChoices = this.#choices.map(({ response }) => getChoice(response));
    return this.#response;
  }

  /** Returns the content of a choice, as far as it has come. */
  contentOf(choice: number): ContentBlock[] {
    return choice === 0 ? this.response.content : this.#choice(choice).response.content;
  }

  /** Returns whether the answer has begun. */
  get isStarted(): boolean {
    return this.#response.id !== "";
  }

  /** Returns whether its end has come. */
  get isFinished(): boolean {
    return this.#response.finished !== undefined;
  }

  /** Tokens as far as they are known. */
  get usage(): Usage | undefined {
    return this.#response.finished?.usage ?? this.#promptUsage;
  }

  #choice(position: number): ResponseFold {
    while (this.#choices.length < position) this.#choices.push(new ResponseFold());
    return this.#choices[position - 1] ?? this;
  }

  #grow(delta: BlockDelta): void {
    const block = this.#response.content[delta.index];
    if (block === undefined) return;
    if (delta.extension !== undefined) this.#pieces.push(delta.extension);
    if (delta.logprobs !== undefined) addTokens(block, delta.logprobs);
    if (delta.delta.case === "raw") this.#pieces.push(delta.delta.value);
    else if (delta.delta.case === "annotation") addAnnotation(block, delta.delta.value);
    else {
      if (this.#growing?.block !== block) this.#growing = new GrowingBlock(block);
      this.#growing.add(delta.delta);
    }
  }

  #settle(): void {
    this.#growing?.settle();
    this.#growing = undefined;
    if (this.#pieces.length > 0) this.#extendLast();
  }

  /** A whole answer tells all losses in one place. */
  #lose(losses: readonly string[]): void {
    const { serving } = this.#response;
    if (losses.length === 0 || serving === undefined) return;
    const translationLosses = [...serving.translationLosses, ...losses];
    this.#response.serving = create(ServingSchema, { ...serving, translationLosses });
  }

  #extendLast(): void {
    const [first] = this.#pieces;
    const block = this.#response.content.at(-1);
    if (first === undefined || block === undefined) return;
    const { kind } = block;
    const before = kind.case === "opaque" ? kind.value : block.extension;
    const pieces = [...(before === undefined ? [] : [before]), ...this.#pieces];
    this.#pieces = [];
    const merged = create(RawJsonSchema, {
      dialect: first.dialect,
      json: mergeExtensions(pieces.map(({ json }) => json)),
    });
    if (kind.case === "opaque") block.kind = { case: "opaque", value: merged };
    else block.extension = merged;
  }
}

function getChoice({ content, finished }: GenerateResponse): FurtherChoice {
  return create(FurtherChoiceSchema, { content, ...(finished && { finished }) });
}

function addTokens(block: ContentBlock, { tokens }: Logprobs): void {
  block.logprobs ??= create(LogprobsSchema);
  // One by one: a list of any length is more than a call takes arguments.
  for (const token of tokens) block.logprobs.tokens.push(token);
}

function addAnnotation(block: ContentBlock, annotation: Annotation): void {
  block.annotations ??= create(AnnotationsSchema);
  block.annotations.annotations.push(annotation);
}

/** Copies as much of a block as deltas change. */
function ownBlock(block: ContentBlock): ContentBlock {
  const own = ownTexts(block);
  const { logprobs, annotations } = own;
  if (logprobs !== undefined) own.logprobs = { ...logprobs, tokens: [...logprobs.tokens] };
  if (annotations !== undefined) own.annotations = { ...annotations, annotations: [...annotations.annotations] };
  return own;
}

function ownTexts(block: ContentBlock): ContentBlock {
  const { kind } = block;
  if (kind.case === undefined) return create(ContentBlockSchema, block);
  // A text grows in place; a copy of the block and of its kind is enough for that.
  const value = kind.case === "thinking" ? { ...kind.value, summary: [...kind.value.summary] } : { ...kind.value };
  return create(ContentBlockSchema, { ...block, kind: { case: kind.case, value } as ContentBlock["kind"] });
}

/** A block and the pieces of its texts. */
class GrowingBlock {
  readonly block: ContentBlock;
  /** Its text, its arguments or its raw reasoning: no block has more than one of these. */
  #text: StringBuilder | undefined;
  readonly #summary = new Map<number, StringBuilder>();

  constructor(block: ContentBlock) {
    this.block = block;
  }

  add(delta: BlockDelta["delta"]): void {
    const { kind } = this.block;
    switch (delta.case) {
      case "text":
        if (kind.case === "text" || kind.case === "refusal") this.#grow(kind.value.text, delta.value);
        return;
      case "arguments":
        if (kind.case === "toolUse") this.#grow(kind.value.arguments, delta.value);
        return;
      case "thinking":
        if (kind.case === "thinking") this.#grow(kind.value.text, delta.value);
        return;
      case "summary":
        if (kind.case === "thinking") this.#growSummary(kind.value.summary, delta.value);
        return;
      case "opaque":
        if (kind.case === "thinking") kind.value.opaque = delta.value;
        return;
      case "raw":
      case "annotation":
      case undefined:
        return;
      default:
        delta satisfies never;
    }
  }

  /** Puts what has come into the block. */
  settle(): void {
    const { kind } = this.block;
    const text = this.#text?.toString();
    if (text !== undefined) {
      if (kind.case === "toolUse") kind.value.arguments = text;
      else if (kind.case === "text" || kind.case === "refusal" || kind.case === "thinking") kind.value.text = text;
    }
    if (kind.case !== "thinking") return;
    for (const [part, grown] of this.#summary) kind.value.summary[part] = grown.toString();
  }

  #grow(start: string, piece: string): void {
    this.#text ??= new StringBuilder(start);
    this.#text.add(piece);
  }

  #growSummary(summary: string[], { part, text }: SummaryDelta): void {
    while (summary.length <= part) summary.push("");
    let grown = this.#summary.get(part);
    if (grown === undefined) {
      grown = new StringBuilder(summary[part]);
      this.#summary.set(part, grown);
    }
    grown.add(text);
  }
}
