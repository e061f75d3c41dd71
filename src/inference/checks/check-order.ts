import type { BlockStart, GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
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
    check(state !== "finished", `${event.case} after the end`);
    switch (event.case) {
      case "started":
        check(state === "new", "a second start");
        state = "between";
        return;
      case "blockStart":
        check(state === "between", "a block starts inside another");
        check(event.value.index === nextIndex, `block ${event.value.index} in place of ${nextIndex}`);
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
