import { reasonByWords } from "../formats/shared/errors/error-words.ts";
import { findError } from "../formats/shared/errors/find-error.ts";
import { parseErrorBody } from "../formats/shared/parse-error-body.ts";
import type { KnownFacts, UpstreamProtocol } from "../formats/shared/protocol.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import { redactKeys } from "../lib/redact-keys.ts";
import { scanJson } from "../lib/scan-json.ts";
import type { HttpAnswer } from "./http.ts";
import { readResetMs } from "./reset-headers.ts";

/** The longest time that clients' timers take: 24 days. What is further away is as good as never. */
const LONGEST_MS = 2 ** 31 - 1;

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
  for (const known of forwardedHeaders) if (known.endsWith("-") ? name.startsWith(known) : name === known) return true;
  return false;
}

/** Tells whether an answer's status is one of success. */
export function isSuccess({ status }: HttpAnswer): boolean {
  return status >= 200 && status <= 299;
}

/** Checks that the body of an answer is not compressed, which nobody asked for. Throws UPSTREAM_ERROR. */
export function checkEncoding({ headers, status }: HttpAnswer): void {
  const encoding = String(headers["content-encoding"] ?? "identity");
  if (encoding === "identity" || encoding === "") return;
  const message = `the upstream compressed its answer ('${encoding.slice(0, 32)}'), which Attune didn't ask for`;
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
  sentTo: AnsweredCall,
): Promise<InferenceError> {
  const { status, headers } = answer;
  const body = await readText(answer);
  const error = unknownPath(answer, body, sentTo) ?? protocol.decodeError({ status, headers, body }, sentTo.profile);
  const isFull = error.reason === ErrorReason.RATE_LIMITED && error.facts.retryAfterMs === undefined;
  const now = Date.now();
  const retryAfterMs = readRetryAfterMs(headers, now) ?? (isFull ? readResetMs(headers, now) : undefined);
  return error.with({ upstreamStatus: status, retryAfterMs, shouldRetry: readShouldRetry(headers["x-should-retry"]) });
}

/** Returns the upstream's advice on retries; undefined if it gives none. */
function readShouldRetry(value: unknown): boolean | undefined {
  return value === "true" ? true : value === "false" ? false : undefined;
}

/** The call that was answered. */
interface AnsweredCall {
  /** Name of the upstream in the configuration. */
  readonly name: string;
  readonly url: URL;
  /** The facts of its server. */
  readonly profile?: KnownFacts;
}

/** Statuses of web servers that refuse a request for what it is, and not for its path; their pages are HTML too. */
const OF_REQUEST: ReadonlySet<number> = new Set([401, 402, 403, 407, 408, 413, 429]);

/**
 * The words of servers for a path that they do not know: FastAPI, llama.cpp and Anthropic ("Not Found", "File Not
 * Found"), OpenAI ("Invalid URL (POST /v1/x)"), Groq ("Unknown request URL"), Azure ("Resource not found"), Kong ("no
 * Route matched"), Cloudflare ("No route for that URI"), Express ("Cannot POST /x"), TensorZero ("Route not found: POST
 * /x"), Fastify ("Route POST:/x not found"). Any other server that repeats the path after the method means that too.
 */
const UNKNOWN_PATH =
  /^(?:(?:file|page|path|resource|route|endpoint) )?not found\.?$|invalid url|unknown (?:request )?(?:url|path|route|endpoint)|no route (?:matched|for)|^route\b.{0,300}\bnot found|cannot post|method not allowed/i;

/**
 * Returns the failure of an answer that no model's API gave: a path that the upstream does not know, or a page of HTML.
 * The caller did nothing wrong then, and the operator has to look at the base URL. Undefined for any other answer, such
 * as one that says that it has no such model.
 */
export function unknownPath(
  { status, headers }: Pick<HttpAnswer, "status" | "headers">,
  body: string,
  sentTo: AnsweredCall,
): InferenceError | undefined {
  const isPage = isHtml(headers, body);
  const isOfPath = status < 500 && (isPage ? !OF_REQUEST.has(status) : isUnknown(status, body, sentTo));
  if (!isOfPath) return undefined;
  const path = redactKeys(sentTo.url.pathname);
  const problem = isPage ? `answered POST ${path} with a page of HTML` : `does not know POST ${path}`;
  const message = `the upstream '${sentTo.name}' ${problem} (status ${status}): its baseUrl in the configuration may be wrong`;
  return new InferenceError(ErrorReason.UPSTREAM_MISCONFIGURED, message, { upstreamStatus: status });
}

/** Tells whether an answer is a page for people. */
export function isHtml(headers: HttpAnswer["headers"], body: string): boolean {
  const type = String(headers["content-type"] ?? "");
  return /^text\/html\b/i.test(type) || /^\s*<(?:!doctype|html)\b/i.test(body);
}

/** Gateways route by path and method. What says more in JSON is about a model or another thing that was named. */
function isUnknown(status: number, body: string, { url, profile }: AnsweredCall): boolean {
  if (status === 405) return true;
  if (status !== 404 && status !== 410) return false;
  const json = parseErrorBody(body);
  const found = json === undefined ? undefined : findError(json, profile?.errorPlaces ?? []);
  if (found?.message === undefined) return true;
  if (reasonByWords(found, profile?.errors ?? []) === ErrorReason.UPSTREAM_MISCONFIGURED) return true;
  return (
    UNKNOWN_PATH.test(found.message) || /\bPOST\W{1,3}\//.test(found.message) || found.message.includes(url.pathname)
  );
}

/**
 * Reads how long an answer asks the caller to wait, in milliseconds, from retry-after-ms or retry-after (seconds or
 * date). A date counts from the answer's own `date`, or else from `now`: the clocks of two machines need not agree. A
 * time that is longer than 24 days becomes 24 days; one that is over is none, and what is no time at all is passed
 * over.
 */
export function readRetryAfterMs(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  now: number,
): number | undefined {
  const exact = toNumber(headers["retry-after-ms"]);
  if (exact !== undefined) return Math.min(exact, LONGEST_MS);
  const value = headers["retry-after"];
  const seconds = toNumber(value);
  if (seconds !== undefined) return Math.min(seconds * 1000, LONGEST_MS);
  // Of texts without a word, the parser would make dates of its own.
  const date = typeof value === "string" && /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  const sent = Date.parse(String(headers["date"]));
  if (Number.isNaN(date)) return undefined;
  return Math.min(Math.max(0, date - (Number.isNaN(sent) ? now : sent)), LONGEST_MS);
}

function toNumber(value: string | string[] | undefined): number | undefined {
  return typeof value === "string" && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}
