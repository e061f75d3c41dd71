import { DASHBOARD_PATH } from "../dashboard-path.ts";

/** Feedback on an answer, by names of metrics and notes. */
type Feedback = Readonly<Record<string, boolean | string>>;

/** An entry of feedback that was taken. */
export interface SentEntry {
  readonly id: string;
  readonly name: string;
  readonly value: boolean | string;
  readonly source: string;
}

/** An answer of a project, by the id that feedback on it is sent with. */
export interface AnswerPlace {
  readonly projectId: string;
  readonly answerId: string;
}

/**
 * Sends feedback in the name of who is signed in; `source` is the tag that tells where they said it. Resolves to its
 * entries, which are stored a moment later. Rejects with an Error where it was not taken.
 */
export async function sendFeedback(
  { projectId, answerId }: AnswerPlace,
  feedback: Feedback,
  source: string,
): Promise<readonly SentEntry[]> {
  const response = await fetch(`${DASHBOARD_PATH}/api/playground/${projectId}/v1/feedback`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify([{ id: answerId, feedback, tags: { source } }]),
  });
  const body: unknown = await response.json();
  const result: unknown = Array.isArray(body) ? body[0] : body;
  const wrong = readMessage(result);
  if (!response.ok || wrong !== "") throw new Error(wrong || `status ${response.status}`);
  const ids = readIds(result);
  return Object.entries(feedback).flatMap(([name, value]) => {
    const id = ids[name];
    return typeof id === "string" ? [{ id, name, value, source }] : [];
  });
}

/** The ids of what was taken of an event, by names. */
function readIds(result: unknown): Readonly<Record<string, unknown>> {
  if (typeof result !== "object" || result === null || !("feedback_ids" in result)) return {};
  return { ...(result.feedback_ids as object | null) };
}

/** The message of an error, of a call or of an event; empty where there is none. */
function readMessage(body: unknown): string {
  if (typeof body !== "object" || body === null || !("error" in body)) return "";
  const { error } = body;
  if (typeof error !== "object" || error === null || !("message" in error)) return "";
  return typeof error.message === "string" ? error.message : "";
}
