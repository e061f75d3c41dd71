import type { FeedbackOptions, NamedValue } from "./feedback-options.ts";
import { fail, print } from "./output.ts";

const LIMIT_MS = 30_000;

interface Result {
  readonly feedback_ids: Readonly<Record<string, string>> | null;
  readonly error: { readonly message: string } | null;
}

/** Sends feedback to a service that runs, and prints the ids of what was stored; ends the command where it was not. */
export async function runFeedback(
  values: readonly NamedValue[],
  { session, id, url, tag, reason }: FeedbackOptions,
): Promise<void> {
  if ((session === undefined) === (id === undefined)) fail("say what the feedback is on: --session, or --id");
  const key = process.env["ATTUNE_API_KEY"];
  if (!key) fail("set ATTUNE_API_KEY to an API key of the project");
  const feedback = Object.fromEntries(values.map(({ name, value }) => [name, withReason(value, reason)]));
  const event = { ...(session === undefined ? { id } : { session }), feedback, tags: tag };
  const [result] = await send(url, key, [event]);
  if (result?.feedback_ids == null) fail(`the feedback was not stored: ${result?.error?.message ?? "no result came"}`);
  for (const [name, entry] of Object.entries(result.feedback_ids)) print(`${name}  ${entry}`);
  for (const { name, value } of values) if (value === null) print(`${name}  taken back`);
}

function withReason(value: NamedValue["value"], reason: string | undefined): unknown {
  return reason === undefined || value === null || typeof value === "string" ? value : { score: value, reason };
}

async function send(url: string, key: string, events: readonly unknown[]): Promise<readonly Result[]> {
  // The service may be below a path.
  const address = URL.canParse(url)
    ? new URL(`${url.replace(/(?<!\/)\/+$/, "")}/v1/feedback`)
    : fail(`ATTUNE_URL is no address: '${url}'`);
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(events),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    // What stands before a service may answer with a page.
    const body: unknown = await answer.json().catch(() => undefined);
    if (Array.isArray(body)) return body as readonly Result[];
    const { error } = (body ?? {}) as { readonly error?: { readonly message?: string } };
    const reason = error?.message ?? "not as Attune does: --url is the address of the service itself";
    return fail(`${address.origin} answered with ${answer.status}: ${reason}`);
  } catch (thrown) {
    const { message, cause } = thrown as Error;
    return fail(`cannot reach ${address.origin}: ${cause instanceof Error ? cause.message : message}`);
  }
}
