import type { InferenceWithFeedback } from "../../store/dashboard/history.ts";
import type { ContentReader } from "./content-reader.ts";
import { describeFacts, describeFeedback } from "./describe-request.ts";

/**
 * Writes a line of an export, in parts: what was asked and answered, null where it was not kept, the facts, and the
 * feedback.
 */
export async function* exportLine(
  { row, body, feedback }: InferenceWithFeedback,
  contents: ContentReader,
): AsyncGenerator<string | Uint8Array> {
  const head = `{"id":${JSON.stringify(row.id)},"facts":${JSON.stringify(describeFacts(row))},`;
  const tail = `,"feedback":${JSON.stringify(feedback.map(describeFeedback))}}\n`;
  yield head;
  yield body === undefined ? '"request":null,"answer":null' : await contents.read("exportJson", body);
  yield tail;
}
