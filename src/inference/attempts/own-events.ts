import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  Finished,
  GenerateEvent,
  Saving,
  Serving,
  Started,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { choiceEvent, createEvent, finishedEvent } from "../../hub/events.ts";
import { type Sealing, sealEvent } from "../history/seal-events.ts";
import { markToolCall } from "../history/tool-ids.ts";
import type { AttemptHost } from "./attempt-host.ts";

/**
 * Makes the first event as the caller gets it, from what an upstream or another inference has handed on, which is not
 * changed.
 */
export function ownStarted(
  { usage }: Started,
  { id, input, startedAt }: Pick<AttemptHost, "id" | "input" | "startedAt">,
  serving: Serving | undefined,
): GenerateEvent {
  const createdAt = timestampFromDate(startedAt);
  const $typeName = "attune.inference.v1.Started";
  return createEvent({ case: "started", value: { $typeName, id, model: input.model, createdAt, serving, usage } });
}

/** The end of an answer, beside the events that were passed on. */
interface OwnEnd {
  readonly translationLosses: string[];
  readonly savings: Saving[];
}

/**
 * Makes an event of a further choice as the caller gets it; undefined for its start, which is the first one's to say.
 * Reasoning before its calls is not recalled: an inference is known by its first choice.
 */
export function ownOfFurther(choice: number, event: GenerateEvent, sealing: Sealing): GenerateEvent | undefined {
  const own = sealEvent(markToolCall(event, sealing, undefined), sealing).event;
  if (own.case === "started" || own.case === "finished" || own.case === "choiceEvent") return undefined;
  return choiceEvent(choice, own);
}

/** Makes the last event as the caller gets it, from what was handed on, which is not changed. */
export function ownFinished(finished: Finished, { translationLosses, savings }: OwnEnd): GenerateEvent {
  return finishedEvent({ ...finished, completedAt: timestampFromDate(new Date()), translationLosses, savings });
}
