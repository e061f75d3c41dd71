/** Feedback on an answer, by names of metrics and notes. */
type Feedback = Readonly<Record<string, boolean | string>>;

/** An answer of a project, by the id that feedback on it is sent with. */
export interface AnswerPlace {
  readonly projectId: string;
  readonly answerId: string;
}

/**
 * Sends feedback in the name of who is signed in; `source` is the tag that tells where they said it. Rejects with an
 * Error where it was not taken.
 */
export async function sendFeedback(
  { projectId, answerId }: AnswerPlace,
  feedback: Feedback,
  source: string,
): Promise<void> {
  const response = await fetch(`/dashboard/api/playground/${projectId}/v1/feedback`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify([{ id: answerId, feedback, tags: { source } }]),
  });
  const body: unknown = await response.json();
  const wrong = messageOf(Array.isArray(body) ? body[0] : body);
  if (!response.ok || wrong !== "") throw new Error(wrong || `status ${response.status}`);
}

/** The message of an error, of a call or of an event; empty where there is none. */
function messageOf(body: unknown): string {
  if (typeof body !== "object" || body === null || !("error" in body)) return "";
  const { error } = body;
  if (typeof error !== "object" || error === null || !("message" in error)) return "";
  return typeof error.message === "string" ? error.message : "";
}
