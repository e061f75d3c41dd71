import type { InferenceInput } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../../hub/error.ts";
import type { JsonObject } from "../../shared/json.ts";
import { optional, readObject, readString, WireError } from "../../shared/read.ts";

/** Said once, at the beginning of a thread. */
const BEGINNING = ["system", "tools"] as const;

/**
 * Decodes `thread`: the state of the conversation is held here between its turns. Throws WireError, and
 * THREAD_UNSUPPORTED for a kind of thread that is not known.
 */
export function decodeThread(body: JsonObject, input: InferenceInput): void {
  const thread = optional(body["thread"], "thread", readObject);
  if (thread === undefined) return;
  const type = readString(thread["type"], "thread.type");
  if (type !== "create" && type !== "continue") {
    const message =
      `thread.type: must be 'create' or 'continue', not '${type.slice(0, 64)}'; send the whole conversation ` +
      "without 'thread'";
    throw new InferenceError(ErrorReason.THREAD_UNSUPPORTED, message, { param: "thread.type" });
  }
  input.thread = true;
  if (type === "create") return;
  input.previousId = readString(thread["previous_message_id"], "thread.previous_message_id");
  for (const name of BEGINNING) {
    if (body[name] === undefined || body[name] === null) continue;
    throw new WireError(name, "is taken from the beginning of the thread: leave it out, or begin another thread");
  }
}
