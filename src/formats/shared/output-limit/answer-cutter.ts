import { create } from "@bufbuild/protobuf";
import {
  type BlockDelta,
  type BlockStart,
  type ChoiceEvent,
  type Finished,
  FinishedSchema,
  FinishReason,
  type GenerateEvent,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { blockDeltaEvent, choiceEvent, createEvent } from "../../../hub/events.ts";
import { CHARACTERS_PER_TOKEN } from "../../../hub/tokens/estimate-tokens.ts";

/**
 * Cuts one answer to fewer tokens than its upstream was asked for. Upstreams count tokens at the end only, so that
 * the texts are cut by their estimated size; the end is decided by the upstream's count too.
 */
export class AnswerCutter {
  readonly #maxTokens: number;
  /** Characters that may still come. */
  #left: number;
  #isCut = false;
  /** True while a block is open that began behind the cut. */
  #isDropping = false;
  /** The cutters of further choices, by position. */
  readonly #further = new Map<number, AnswerCutter>();

  constructor(maxTokens: number) {
    this.#maxTokens = maxTokens;
    this.#left = maxTokens * CHARACTERS_PER_TOKEN;
  }

  /** Returns what is left of the events; those that the upstream handed on are not changed. */
  cut(events: readonly GenerateEvent[]): GenerateEvent[] {
    return events.flatMap((event) => this.#cut(event) ?? []);
  }

  #cut(event: GenerateEvent): GenerateEvent | undefined {
    const { case: kind, value } = event.event;
    switch (kind) {
      case "blockStart":
        return this.#start(value) ? event : undefined;
      case "blockDelta":
        return this.#isDropping ? undefined : this.#grow(event, value);
      case "blockEnd":
        return this.#isDropping ? undefined : event;
      case "choiceEvent":
        return this.#cutChoice(value);
      case "finished":
        return createEvent({ case: kind, value: this.#finish(value) });
      default:
        return event;
    }
  }

  #cutChoice({ choice, event }: ChoiceEvent): GenerateEvent | undefined {
    const cutter = choice === 0 ? this : (this.#further.get(choice) ?? new AnswerCutter(this.#maxTokens));
    if (choice > 0) this.#further.set(choice, cutter);
    const cut = cutter.#cut(createEvent(event))?.event;
    if (cut === undefined || cut.case === "started" || cut.case === "choiceEvent") return undefined;
    return choiceEvent(choice, cut);
  }

  /** Returns whether the block begins before the cut. */
  #start({ block }: BlockStart): boolean {
    const size = startSize(block?.kind);
    this.#isDropping = this.#isCut || this.#left === 0 || size > this.#left;
    if (this.#isDropping) this.#isCut = true;
    else this.#left -= size;
    return !this.#isDropping;
  }

  #grow(event: GenerateEvent, { index, delta }: BlockDelta): GenerateEvent | undefined {
    const text = getText(delta);
    if (text === undefined || text.length <= this.#left) {
      this.#left -= text?.length ?? 0;
      return event;
    }
    const head = headOf(text, this.#left);
    this.#left = 0;
    this.#isCut = true;
    return head === "" ? undefined : blockDeltaEvent(index, withText(delta, head));
  }

  #finish(finished: Finished): Finished {
    const isLonger = (finished.usage?.outputTokens ?? 0) > this.#maxTokens;
    if (!this.#isCut && !isLonger) return finished;
    const end = { reason: FinishReason.LENGTH, rawReason: "max_output_tokens", stopSequence: undefined };
    return create(FinishedSchema, { ...finished, ...end });
  }
}

type BlockKind = NonNullable<BlockStart["block"]>["kind"];

function startSize(kind: BlockKind | undefined): number {
  switch (kind?.case) {
    case "text":
    case "refusal":
    case "thinking":
      return kind.value.text.length;
    case "toolUse":
      return kind.value.name.length + kind.value.arguments.length;
    default:
      return 0;
  }
}

/** Returns what a delta says in words; undefined for what has no tokens that anybody sees. */
function getText(delta: BlockDelta["delta"]): string | undefined {
  switch (delta.case) {
    case "text":
    case "arguments":
    case "thinking":
      return delta.value;
    case "summary":
      return delta.value.text;
    default:
      return undefined;
  }
}

function withText(delta: BlockDelta["delta"], text: string): BlockDelta["delta"] {
  if (delta.case === "text" || delta.case === "arguments" || delta.case === "thinking")
    return { ...delta, value: text };
  return delta.case === "summary" ? { ...delta, value: { ...delta.value, text } } : delta;
}

/** Returns the first characters of a text, without half of a pair at its end. */
function headOf(text: string, length: number): string {
  const last = length > 0 ? text.charCodeAt(length - 1) : 0;
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
