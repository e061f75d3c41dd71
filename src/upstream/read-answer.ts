import type { InferenceError } from "../inference/error.ts";
import type { HttpAnswer } from "./http.ts";
import type { UpstreamProtocol } from "./protocol.ts";
import { readRetryAfterMs } from "./retry-after.ts";

/** Most bytes of an answer that is not a stream. */
const BODY_BYTES = 64 * 1024;

/** Returns the upstream's identifier of a request; empty if there is none. */
export function requestIdOf({ requestIdHeaders }: UpstreamProtocol, { headers }: HttpAnswer): string {
  const values = requestIdHeaders.map((name) => headers[name]);
  return values.find((value) => typeof value === "string") ?? "";
}

/** Tells whether an answer's status is one of success. */
export function isSuccess({ status }: HttpAnswer): boolean {
  return status >= 200 && status <= 299;
}

/** Reads the body of an answer as text; what is longer than 64 KiB is cut off. */
export async function readText(answer: HttpAnswer): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (let chunks = await answer.read(); chunks !== undefined && bytes < BODY_BYTES; chunks = await answer.read()) {
    for (const chunk of chunks) bytes += chunk.length;
    parts.push(...chunks);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** Reads an answer whose status is not one of success. */
export async function readError(protocol: UpstreamProtocol, answer: HttpAnswer): Promise<InferenceError> {
  const { status, headers } = answer;
  const error = protocol.decodeError({ status, headers, body: await readText(answer) });
  return error.with({ upstreamStatus: status, retryAfterMs: readRetryAfterMs(headers, Date.now()) });
}
