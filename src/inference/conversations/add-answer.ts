import type { Message } from "../../../gen/attune/content/v1/content_pb.ts";
import type { EventSink } from "../../hub/upstream.ts";
import { ResponseFold } from "../checks/response-fold.ts";
import { answerToMessages } from "../history/answer-to-messages.ts";

/** Returns a sink that adds the answer to a conversation before its end goes out, so that the next request finds it. */
export function addAnswer(sink: EventSink, add: (answer: readonly Message[]) => Promise<void>): EventSink {
  const fold = new ResponseFold();
  return async (events) => {
    for (const event of events) fold.add(event);
    if (events.at(-1)?.event.case === "finished") await add(answerToMessages(fold.response));
    await sink(events);
  };
}
