import type { RecordedAnswer } from "../../learning/dataset-runs/ports.ts";
import { isRedacted } from "../bodies/redact.ts";
import { decodeContent } from "../types/inference-body.ts";
import type { Store } from "../types/store.ts";

/** Reads an answer of a project with its conversation; undefined where not all of that is stored with it. */
export async function readAnswer(
  store: Store,
  inferenceId: string,
  projectId: string,
): Promise<RecordedAnswer | undefined> {
  const inference = store.query().selectFrom("Inference").select("id").where("id", "=", inferenceId);
  if ((await inference.where("projectId", "=", projectId).executeTakeFirst()) === undefined) return undefined;
  const bodies = store.query().selectFrom("InferenceBody").select(["request", "response"]);
  const body = await bodies.where("id", "=", inferenceId).executeTakeFirst();
  if (body === undefined) return undefined;
  const { input, output } = await decodeContent(body);
  // Where it goes on from another inference, its own messages are not all that it answers.
  const isWhole = input.previousId === undefined && input.conversationId === undefined && !isRedacted(input);
  return isWhole ? { input, response: output } : undefined;
}
