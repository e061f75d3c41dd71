import { create } from "@bufbuild/protobuf";
import type { ContentBlock, RawJson } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  type Finished,
  FurtherChoiceSchema,
  type GenerateEvent,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { furtherChoiceEvent } from "../../hub/events.ts";
import { ResponseFold } from "../checks/fold.ts";

/**
 * Turns the events of a whole answer into those of a further choice: what only one dialect knows, and the choice.
 * `lossesOf` tells what the caller's format cannot say of it.
 */
export function choiceEvents(
  events: readonly GenerateEvent[],
  lossesOf: (content: readonly ContentBlock[], finished: Finished) => string[],
): GenerateEvent[] {
  const fold = new ResponseFold();
  for (const event of events) fold.add(event);
  const { content, finished } = fold.response;
  if (finished === undefined) throw new Error("a choice has no end");
  const translationLosses = lossesOf(content, finished);
  const choice = create(FurtherChoiceSchema, { content, finished: { ...finished, translationLosses } });
  const raw = events.filter(({ event }) => event.case === "raw" && !isOfBlock(event.value));
  return [...raw, furtherChoiceEvent(choice)];
}

/** Tells whether an event is the progress of a block, which a choice has whole, under a position in its own answer. */
function isOfBlock({ json }: RawJson): boolean {
  const event: object = JSON.parse(json);
  return "index" in event || "output_index" in event;
}
