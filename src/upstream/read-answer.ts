import type { UpstreamProtocol } from "../formats/shared/protocol.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { scanJson } from "../lib/scan-json.ts";
import type { HttpAnswer } from "./http.ts";
import { readResetMs } from "./reset-headers.ts";
import { readRetryAfterMs } from "./retry-after.ts";
import { type AskedPath, unknownPath } from "./unknown-path.ts";

/** Most bytes of an answer that is not a stream. */
const BODY_BYTES = 64 * 1024;

/** Levels of nested objects and arrays of such an answer: what reads them calls itself for each. */
const BODY_DEPTH = 256;

/** The facts of a response's head, of success or failure. */
export interface AnswerFacts {
  /** The upstream's identifier of the request; empty if there is none. */
  readonly upstreamRequestId: string;
  /** The headers that the protocol forwards. */
  readonly upstreamHeaders: Readonly<Record<string, string>>;
}

/** Reads the head of an answer. */
export function readHead(protocol: UpstreamProtocol, { headers }: HttpAnswer): AnswerFacts {
  const ids = protocol.requestIdHeaders.map((name) => headers[name]);
  const upstreamHeaders: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === "string" && isForwarded(protocol, name)) upstreamHeaders[name] = value;
  }
  return { upstreamRequestId: ids.find((value) => typeof value === "string") ?? "", upstreamHeaders };
}

function isForwarded({ forwardedHeaders }: UpstreamProtocol, name: string): boolean {
  return forwardedHeaders.some((known) => (known.endsWith("-") ? name.startsWith(known) : name === known));
}

/** Tells whether an answer's status is one of success. */
export function isSuccess({ status }: HttpAnswer): boolean {
  return status >= 200 && status <= 299;
}

/** Checks that the body of an answer is not compressed, which nobody asked for. Throws UPSTREAM_ERROR. */
export function checkEncoding({ headers, status }: HttpAnswer): void {
  const encoding = String(headers["content-encoding"] ?? "identity");
  if (encoding === "identity" || encoding === "") return;
  const message = `the upstream compressed its answer ('${encoding.slice(0, 32)}'), which was not asked for`;
  throw new InferenceError(ErrorReason.UPSTREAM_ERROR, message, { upstreamStatus: status });
}

/**
 * Reads the body of an answer as text; what is longer than 64 KiB is cut off. Throws UPSTREAM_ERROR if it is
 * compressed.
 */
export async function readText(answer: HttpAnswer): Promise<string> {
  checkEncoding(answer);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (let chunks = await answer.read(); chunks !== undefined && bytes < BODY_BYTES; chunks = await answer.read()) {
    for (const chunk of chunks) bytes += chunk.length;
    parts.push(...chunks);
  }
  const text = Buffer.concat(parts).subarray(0, BODY_BYTES).toString("utf8");
  const isTooDeep = scanJson(text, { jsonDepth: BODY_DEPTH, jsonValues: BODY_BYTES }) === "jsonDepth";
  // What is nested so deep says nothing that anybody could read.
  return isTooDeep ? "" : text;
}

/** Reads an answer whose status is not one of success. */
export async function readError(
  protocol: UpstreamProtocol,
  answer: HttpAnswer,
  asked: AskedPath,
): Promise<InferenceError> {
  const { status, headers } = answer;
  const body = await readText(answer);
  const error = unknownPath(answer, body, asked) ?? protocol.decodeError({ status, headers, body });
  const isFull = error.reason === ErrorReason.RATE_LIMITED && error.facts.retryAfterMs === undefined;
  const now = Date.now();
  const retryAfterMs = readRetryAfterMs(headers, now) ?? (isFull ? readResetMs(headers, now) : undefined);
  return error.with({ upstreamStatus: status, retryAfterMs, shouldRetry: readShouldRetry(headers["x-should-retry"]) });
}

/** Returns the upstream's advice on retries; undefined if it gives none. */
function readShouldRetry(value: unknown): boolean | undefined {
  return value === "true" ? true : value === "false" ? false : undefined;
}
