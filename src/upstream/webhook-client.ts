import type { LookupFunction } from "node:net";
import { createHttpClient, type HttpAnswer } from "./http.ts";
import { isSuccess } from "./read-answer.ts";
import { RequestBody } from "./request-body.ts";

/** Most bytes of what a webhook has to say. */
const ANSWER_BYTES = 16 * 1024;

/** A connection that nobody waits for any more is given up so much later. */
const CONNECT_GRACE_MS = 1000;

/**
 * Creates a client of one webhook: it keeps its connections, follows no redirect, and reads no more of an answer than
 * there may be. Its calls end with their signal, reject with InferenceError, and resolve without a text where the
 * answer is none of success, or too long. `lookup` resolves its name in place of the system.
 */
export function createWebhookClient(
  webhook: { readonly url: string; readonly deadlineMs: number },
  lookup?: LookupFunction,
) {
  const url = new URL(webhook.url);
  // The signal alone is the deadline of a call: of two clocks for one time the wrong one rings first where the process
  // is busy, and a webhook that is too slow would be said to be unreachable.
  const never = Number.POSITIVE_INFINITY;
  const connectMs = webhook.deadlineMs + CONNECT_GRACE_MS;
  const timeouts = { connectMs, firstByteMs: never, idleMs: never, totalMs: never };
  const client = createHttpClient(timeouts, "webhook", { lookup });
  return {
    async post(
      { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
      signal: AbortSignal,
    ): Promise<{ readonly status: number; readonly text: string | undefined }> {
      const answer = await client.post({ url, headers, body: new RequestBody(Buffer.from(body)), signal });
      try {
        return { status: answer.status, text: isSuccess(answer) ? await readShort(answer) : undefined };
      } finally {
        answer.cancel();
      }
    },
    close: () => client.close(),
  };
}

async function readShort(answer: HttpAnswer): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (let chunks = await answer.read(); chunks !== undefined; chunks = await answer.read()) {
    for (const chunk of chunks) bytes += chunk.length;
    if (bytes > ANSWER_BYTES) return undefined;
    parts.push(...chunks);
  }
  return Buffer.concat(parts).toString("utf8");
}
