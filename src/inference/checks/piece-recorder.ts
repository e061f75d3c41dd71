import { create } from "@bufbuild/protobuf";
import type { ContentBlock, Logprobs, RawJson, Usage } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  type BlockDelta,
  type BlockStart,
  type GenerateEvent,
  type StreamPieces,
  StreamPiecesSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";

/** The kinds of steps of StreamPieces; a step's number stands above these four bits. */
export const STEP = {
  start: 0,
  end: 1,
  text: 2,
  arguments: 3,
  thinking: 4,
  summary: 5,
  part: 6,
  opaque: 7,
  rawDelta: 8,
  rawEvent: 9,
  members: 10,
  annotation: 11,
  tokens: 12,
} as const;

/** The number of kinds of steps. */
export const STEP_KINDS = 16;

/** Takes note of how an answer comes, without its texts: about 4 bytes for each event. */
export class PieceRecorder {
  readonly #steps: number[] = [];
  readonly #raws: RawJson[] = [];
  #usage: Usage | undefined;
  /** Part of the summary that grew last. */
  #part = 0;

  /** Adds an event of the stream. */
  add({ event }: GenerateEvent): void {
    switch (event.case) {
      case "started":
        this.#usage = event.value.usage;
        return;
      case "blockStart":
        this.#start(event.value);
        return;
      case "blockDelta":
        this.#members(event.value.extension);
        this.#tokens(event.value.logprobs);
        this.#delta(event.value.delta);
        return;
      case "blockEnd":
        this.#members(event.value.extension);
        this.#step(STEP.end);
        return;
      case "raw":
        this.#raw(STEP.rawEvent, event.value);
        return;
      default:
        // All else of the beginning and the end of the answer is kept as it is.
        return;
    }
  }

  get message(): StreamPieces {
    return create(StreamPiecesSchema, {
      steps: this.#steps,
      raws: this.#raws,
      ...(this.#usage && { startedUsage: this.#usage }),
    });
  }

  #start({ block }: BlockStart): void {
    this.#part = 0;
    this.#members(block && getMembers(block));
    this.#step(STEP.start);
    // What a block holds from its start is written as a first delta.
    const kind = block?.kind;
    this.#tokens(block?.logprobs);
    const hasTokens = block?.logprobs !== undefined;
    if (kind?.case === "text" || kind?.case === "refusal") this.#first(STEP.text, kind.value.text, hasTokens);
    else if (kind?.case === "toolUse") this.#first(STEP.arguments, kind.value.arguments, hasTokens);
    else if (kind?.case === "thinking") {
      for (const [part, text] of kind.value.summary.entries()) this.#summary(part, text);
      this.#first(STEP.thinking, kind.value.text, hasTokens);
    }
    for (const _annotation of block?.annotations?.annotations ?? []) this.#step(STEP.annotation);
  }

  #delta(delta: BlockDelta["delta"]): void {
    switch (delta.case) {
      case "text":
      case "arguments":
      case "thinking":
        this.#step(STEP[delta.case], delta.value.length);
        return;
      case "summary":
        this.#summary(delta.value.part, delta.value.text);
        return;
      case "opaque":
        this.#step(STEP.opaque);
        return;
      case "raw":
        this.#raw(STEP.rawDelta, delta.value);
        return;
      case "annotation":
        this.#step(STEP.annotation);
        return;
      case undefined:
        return;
      default:
        delta satisfies never;
    }
  }

  #first(kind: number, text: string, hasTokens: boolean): void {
    if (text !== "" || hasTokens) this.#step(kind, text.length);
  }

  #summary(part: number, text: string): void {
    if (part !== this.#part) this.#step(STEP.part, part);
    this.#part = part;
    this.#step(STEP.summary, text.length);
  }

  #tokens(logprobs: Logprobs | undefined): void {
    if (logprobs !== undefined) this.#step(STEP.tokens, logprobs.tokens.length);
  }

  #members(raw: RawJson | undefined): void {
    if (raw !== undefined) this.#raw(STEP.members, raw);
  }

  #raw(kind: number, raw: RawJson): void {
    this.#raws.push(raw);
    this.#step(kind);
  }

  #step(kind: number, value = 0): void {
    this.#steps.push(value * STEP_KINDS + kind);
  }
}

/** The JSON of a block that later pieces add to. */
function getMembers({ kind, extension }: ContentBlock): RawJson | undefined {
  return kind.case === "opaque" ? kind.value : extension;
}
