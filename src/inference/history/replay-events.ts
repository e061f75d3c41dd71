import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  type Logprobs,
  LogprobsSchema,
  type RawJson,
} from "../../../gen/attune/content/v1/content_pb.ts";
import {
  type BlockDelta,
  BlockDeltaSchema,
  BlockEndSchema,
  type FurtherChoice,
  type GenerateEvent,
  GenerateEventSchema,
  type GenerateResponse,
  SummaryDeltaSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { blockEndEvent, blockStartEvent, choiceEvent, startedEvent } from "../../hub/events.ts";
import { STEP, STEP_KINDS } from "../checks/piece-recorder.ts";

/**
 * Gives a stored answer again as the events that it came in; one that came whole has one block after another, each in
 * one piece.
 */
export function* replayEvents(output: GenerateResponse): Generator<GenerateEvent> {
  const { id, model, createdAt, serving, finished, furtherChoices, pieces } = output;
  if (id === "") return;
  const usage = pieces?.startedUsage;
  yield startedEvent({
    id,
    model,
    ...(createdAt && { createdAt }),
    ...(serving && { serving }),
    ...(usage && { usage }),
  });
  if (pieces === undefined) yield* wholeBlocks(output);
  else yield* new Replay(output, pieces.steps, pieces.raws).events();
  for (const [index, choice] of furtherChoices.entries()) yield* wholeChoice(index + 1, choice);
  if (finished !== undefined) yield create(GenerateEventSchema, { event: { case: "finished", value: finished } });
}

function* wholeBlocks({ content }: Pick<GenerateResponse, "content">): Generator<GenerateEvent> {
  for (const [index, block] of content.entries()) {
    yield blockStartEvent(index, block);
    yield blockEndEvent(index);
  }
}

function* wholeChoice(position: number, { content, finished }: FurtherChoice): Generator<GenerateEvent> {
  for (const { event } of wholeBlocks({ content })) {
    if (event.case === "blockStart" || event.case === "blockEnd") yield choiceEvent(position, event);
  }
  if (finished !== undefined) yield choiceEvent(position, { case: "finished", value: finished });
}

class Replay {
  readonly #content: readonly ContentBlock[];
  readonly #steps: readonly number[];
  readonly #raws: Iterator<RawJson>;
  /** Position of the block that grows. */
  #index = -1;
  /** The length of its text, and of each part of its summary, that was sent. */
  #given = 0;
  readonly #givenOf = new Map<number, number>();
  #part = 0;
  /** Members of what follows. */
  #members: RawJson | undefined;
  /** Tokens of what follows, and of the block those that were sent; and its annotations that were. */
  #tokens = 0;
  #givenTokens = 0;
  #givenAnnotations = 0;

  constructor({ content }: GenerateResponse, steps: readonly number[], raws: readonly RawJson[]) {
    this.#content = content;
    this.#steps = steps;
    this.#raws = raws.values();
  }

  *events(): Generator<GenerateEvent> {
    for (const [at, step] of this.#steps.entries()) {
      const kind = step % STEP_KINDS;
      const number = Math.floor(step / STEP_KINDS);
      if (kind === STEP.members) this.#members = this.#nextRaw();
      else if (kind === STEP.part) this.#part = number;
      else if (kind === STEP.tokens) this.#tokens = number;
      else if (kind === STEP.start) yield this.#start(at);
      else if (kind === STEP.end) yield this.#end();
      else if (kind === STEP.rawEvent) yield this.#rawEvent();
      else yield this.#delta(kind, number);
    }
  }

  #start(at: number): GenerateEvent {
    this.#index += 1;
    this.#given = 0;
    this.#part = 0;
    this.#givenTokens = 0;
    this.#givenAnnotations = 0;
    this.#givenOf.clear();
    const block = this.#content[this.#index];
    const end = this.#steps.indexOf(STEP.end, at);
    const growsOpaque = this.#steps.slice(at, end === -1 ? undefined : end).includes(STEP.opaque);
    return blockStartEvent(this.#index, getStart(block, this.#takeMembers(), growsOpaque));
  }

  #end(): GenerateEvent {
    const extension = this.#takeMembers();
    const value = create(BlockEndSchema, { index: this.#index, ...(extension && { extension }) });
    return create(GenerateEventSchema, { event: { case: "blockEnd", value } });
  }

  #rawEvent(): GenerateEvent {
    const value = this.#nextRaw();
    return create(GenerateEventSchema, value === undefined ? {} : { event: { case: "raw", value } });
  }

  #delta(kind: number, length: number): GenerateEvent {
    const extension = this.#takeMembers();
    const logprobs = this.#takeTokens();
    const delta = this.#deltaOf(kind, length);
    const members = { ...(extension && { extension }), ...(logprobs && { logprobs }) };
    const value = create(BlockDeltaSchema, { index: this.#index, delta, ...members });
    return create(GenerateEventSchema, { event: { case: "blockDelta", value } });
  }

  #deltaOf(kind: number, length: number): BlockDelta["delta"] {
    const block = this.#content[this.#index]?.kind;
    if (kind === STEP.rawDelta) {
      const value = this.#nextRaw();
      return value === undefined ? { case: undefined } : { case: "raw", value };
    }
    if (kind === STEP.annotation) {
      const value = this.#content[this.#index]?.annotations?.annotations[this.#givenAnnotations++];
      return value === undefined ? { case: undefined } : { case: "annotation", value };
    }
    if (kind === STEP.opaque) {
      return { case: "opaque", value: block?.case === "thinking" ? (block.value.opaque ?? "") : "" };
    }
    if (kind === STEP.summary) {
      const summary = block?.case === "thinking" ? (block.value.summary[this.#part] ?? "") : "";
      const given = this.#givenOf.get(this.#part) ?? 0;
      this.#givenOf.set(this.#part, given + length);
      const text = summary.slice(given, given + length);
      return { case: "summary", value: create(SummaryDeltaSchema, { part: this.#part, text }) };
    }
    const text = block === undefined ? "" : getText(block).slice(this.#given, this.#given + length);
    this.#given += length;
    if (kind === STEP.arguments) return { case: "arguments", value: text };
    return kind === STEP.thinking ? { case: "thinking", value: text } : { case: "text", value: text };
  }

  #nextRaw(): RawJson | undefined {
    return this.#raws.next().value;
  }

  #takeTokens(): Logprobs | undefined {
    if (this.#tokens === 0) return undefined;
    const from = this.#givenTokens;
    this.#givenTokens += this.#tokens;
    this.#tokens = 0;
    const tokens = this.#content[this.#index]?.logprobs?.tokens.slice(from, this.#givenTokens);
    return tokens && create(LogprobsSchema, { tokens });
  }

  #takeMembers(): RawJson | undefined {
    const members = this.#members;
    this.#members = undefined;
    return members;
  }
}

/** The text that a block grows by. */
function getText(kind: ContentBlock["kind"]): string {
  switch (kind.case) {
    case "text":
    case "refusal":
    case "thinking":
      return kind.value.text;
    case "toolUse":
      return kind.value.arguments;
    default:
      return "";
  }
}

/** A block as it began: without its texts, and with the members that it had then. */
function getStart(block: ContentBlock | undefined, members: RawJson | undefined, growsOpaque: boolean): ContentBlock {
  if (block === undefined) return create(ContentBlockSchema);
  const { kind } = block;
  const { extension: _grown, logprobs: _logprobs, annotations: _annotations, ...rest } = block;
  const start = create(ContentBlockSchema, { ...rest, ...(members && { extension: members }) });
  switch (kind.case) {
    case "text":
    case "refusal":
      start.kind = { case: kind.case, value: { ...kind.value, text: "" } } as ContentBlock["kind"];
      return start;
    case "toolUse":
      start.kind = { case: kind.case, value: { ...kind.value, arguments: "" } };
      return start;
    case "thinking": {
      const { opaque, ...value } = kind.value;
      const state = growsOpaque || opaque === undefined ? {} : { opaque };
      start.kind = { case: kind.case, value: { ...value, ...state, text: "", summary: [] } };
      return start;
    }
    case "opaque": {
      const opaque = create(ContentBlockSchema, block);
      opaque.kind = { case: kind.case, value: members ?? kind.value };
      return opaque;
    }
    default:
      return start;
  }
}
