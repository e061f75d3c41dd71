import type {
  BlockDelta,
  BlockStart,
  GenerateEvent,
  InferenceInput,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { CatalogModel } from "../../catalog/model.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";

/** Checks one event after another. Throws UPSTREAM_ERROR for the first that is out of order. */
type OrderCheck = (event: GenerateEvent) => void;

/**
 * Creates a check of a stream's order: started, blocks one after another from 0, the parts of a summary as well,
 * finished. It guards every encoder at once against an upstream that breaks its own format.
 */
export function createOrderCheck(): OrderCheck {
  let state: "new" | "between" | "inside" | "finished" = "new";
  let nextIndex = 0;
  let summaryParts = 0;
  const check = (holds: boolean, what: string): void => {
    if (!holds) throw new InferenceError(ErrorReason.UPSTREAM_ERROR, `the upstream's stream is out of order: ${what}`);
  };
  return ({ event }) => {
    // Most events are these, and what would be wrong with them is not put into words.
    if (event.case === "blockDelta" && state === "inside") {
      const { index, delta } = event.value;
      if (index === nextIndex && delta.case !== "summary") return;
    }
    check(state !== "finished", `${event.case} after the end`);
    switch (event.case) {
      case "started":
        check(state === "new", "a second start");
        state = "between";
        return;
      case "blockStart":
        check(state === "between", "a block starts inside another");
        check(event.value.index === nextIndex, `block ${event.value.index} instead of ${nextIndex}`);
        state = "inside";
        summaryParts = countSummary(event.value);
        return;
      case "blockDelta":
        check(state === "inside" && event.value.index === nextIndex, `a delta of block ${event.value.index}`);
        if (event.value.delta.case === "summary") {
          const { part } = event.value.delta.value;
          check(part >= 0 && part <= summaryParts, `part ${part} of a summary of ${summaryParts} parts`);
          if (part === summaryParts) summaryParts += 1;
        }
        return;
      case "blockEnd":
        check(state === "inside" && event.value.index === nextIndex, `the end of block ${event.value.index}`);
        state = "between";
        nextIndex += 1;
        return;
      case "finished":
        check(state === "between", "an end inside a block or before the start");
        state = "finished";
        return;
      case "choiceEvent":
      case "raw":
      case undefined:
        check(state !== "new", "an event before the start");
        return;
      default:
        event satisfies never;
    }
  };
}

/** Throws STREAM_INTERRUPTED where a stream is over whose end event has not come. */
export function checkEnded(isFinished: boolean): void {
  if (isFinished) return;
  throw new InferenceError(ErrorReason.STREAM_INTERRUPTED, "the upstream's stream ended without an end event");
}

function countSummary({ block }: BlockStart): number {
  return block?.kind.case === "thinking" ? block.kind.value.summary.length : 0;
}

/** Characters that every answer may have, however few tokens were asked for. */
const FREE_CHARACTERS = 2 ** 20;

/** Characters for each token: tokens have about four, and even runs of blanks have less than half of this. */
const CHARACTERS_PER_TOKEN = 256;

/** The characters that a block counts for beside its text: an answer of empty blocks has an end too. */
const BLOCK_CHARACTERS = 64;

/** Returns the most tokens that the answer to a request may have. */
export function findMaxTokens(
  { maxOutputTokens = Number.POSITIVE_INFINITY }: Pick<InferenceInput, "maxOutputTokens">,
  model: Pick<CatalogModel, "maxOutputTokens">,
): number {
  return Math.min(maxOutputTokens, model.maxOutputTokens);
}

/** Checks one event after another. Throws UPSTREAM_ERROR for the first that is too much. */
type SizeCheck = (event: GenerateEvent) => void;

/**
 * Creates a check of how much an upstream says: far more than `maxTokens` tokens can be is not what was asked for, and
 * would go on for ever. What has no tokens, such as pictures, is bounded by the bytes of the answer alone.
 */
export function createSizeCheck(maxTokens: number): SizeCheck {
  const limit = FREE_CHARACTERS + CHARACTERS_PER_TOKEN * maxTokens;
  let characters = 0;
  return ({ event: outer }) => {
    const event = outer.case === "choiceEvent" ? outer.value.event : outer;
    if (event.case === "blockDelta") characters += deltaSize(event.value);
    else if (event.case === "blockStart") characters += BLOCK_CHARACTERS + startSize(event.value);
    if (characters <= limit) return;
    const message = `the upstream's answer is far longer than the ${maxTokens} tokens that it may have`;
    throw new InferenceError(ErrorReason.UPSTREAM_ERROR, message);
  };
}

function deltaSize({ delta }: BlockDelta): number {
  switch (delta.case) {
    case "text":
    case "arguments":
    case "thinking":
      return delta.value.length;
    case "summary":
      return delta.value.text.length;
    case "opaque":
    case "raw":
    case "annotation":
    case undefined:
      return 0;
    default:
      return delta satisfies never;
  }
}

function startSize({ block }: BlockStart): number {
  const kind = block?.kind;
  if (kind?.case === "text" || kind?.case === "refusal" || kind?.case === "thinking") return kind.value.text.length;
  return kind?.case === "toolUse" ? kind.value.id.length + kind.value.name.length + kind.value.arguments.length : 0;
}
