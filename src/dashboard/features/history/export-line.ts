import type { ExportedInference } from "../../../store/dashboard/export-inferences.ts";
import type { ContentReader } from "./content-reader.ts";
import { describeAttempt, describeFacts, describeFeedback } from "./describe-request.ts";

/**
 * Writes a line of an export, in parts: what was asked and answered, null where it was not kept, the facts, the
 * attempts, and the feedback.
 */
export async function* exportLine(
  { row, attempts, body, feedback }: ExportedInference,
  contents: ContentReader,
): AsyncGenerator<string | Uint8Array> {
  const { prompt: _prompt, answer: _answer, feedback: _counts, ...own } = row;
  const facts = { facts: describeFacts(own), attempts: attempts.map(describeAttempt) };
  const head = `{"id":${JSON.stringify(row.id)},${JSON.stringify(facts).slice(1, -1)},`;
  yield head;
  yield body === undefined
    ? '"request":null,"answer":null'
    : await contents.read("exportJson", { projectId: row.projectId, body });
  yield ',"feedback":[';
  let separator = "";
  for await (const entries of feedback) {
    yield separator + JSON.stringify(entries.map(describeFeedback)).slice(1, -1);
    separator = ",";
  }
  yield "]}\n";
}
