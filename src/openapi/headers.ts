import { choice, integer, type Schema, text } from "../formats/shared/schema.ts";

/** A header of requests or of answers. */
interface Header {
  readonly description: string;
  readonly schema: Schema;
  readonly example: string;
}

function header(description: string, example: string, schema: Schema = { type: "string" }): Header {
  const { description: _of, ...plain } = schema;
  return { description, schema: plain, example };
}

const words = (...list: string[]): Schema => choice(list, "");

/** Headers of requests for an answer. */
export const CALL_HEADERS = {
  "attune-strict": header(
    "`true`: reject the request with 400 if the upstream's format can't carry all of it",
    "true",
    words("true", "false"),
  ),
  "attune-workload": header("Label of the inference", "triage", text("", { maxLength: 256 })),
  "attune-session": header("Session of the call, such as an agent's run", "run-7"),
  "attune-parent-session": header("Session that started this one", "run-6"),
  "attune-user": header("End user of the call", "jane"),
  "attune-tags": header("Labels of the call: at most 16", "team=search, env=prod"),
  "attune-optimize": header("`off`: call only the model's first deployment", "off", words("on", "off")),
  "attune-candidates": header(
    "Answers to ask for; the best one is returned",
    "2",
    integer("", { minimum: 1, maximum: 4 }),
  ),
  "attune-max-usd": header("Cost ceiling of the call, in USD", "0.05"),
  "x-request-timeout": header(
    "Time limit in seconds for a complete answer, or for a stream to begin; `1500ms` in milliseconds",
    "30",
  ),
  "attune-store": header("`none`: don't store the texts of the call", "none", words("none")),
} as const satisfies Readonly<Record<string, Header>>;

/** Headers of some requests. */
export const REQUEST_HEADERS = {
  ...CALL_HEADERS,
  "idempotency-key": header(
    "The same request with the same key gets the same answer and is billed once",
    "order-17",
    text("", { minLength: 1, maxLength: 255 }),
  ),
  "anthropic-version": header("Version of the Messages format", "2023-06-01", words("2023-06-01", "2026-10-21")),
  "anthropic-beta": header("Beta features to ask upstreams of the Messages format for", "context-1m-2025-08-07"),
  "x-request-id": header("Identifier of the request; a new one if absent", "req-17", text("", { maxLength: 128 })),
} as const satisfies Readonly<Record<string, Header>>;

/** A header of a request. */
export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** Headers of answers. Those of a stream are sent before its first event. */
export const ANSWER_HEADERS = {
  "x-request-id": header("Identifier of the request, also in the log", "01a21d33-495e-7104-99ce-9bcc0fcb155c"),
  "request-id": header("The same, under the name that Messages clients read", "01a21d33-495e-7104-99ce-9bcc0fcb155c"),
  "attune-inference-id": header(
    "Id of the inference, to send feedback on",
    "01a21d33-4ae2-7e1a-93a1-2f8e7c1d0b44",
    text("", { format: "uuid" }),
  ),
  "attune-served-by": header(
    "Upstream that answered, followed by `; model=NAME` if another model may have answered",
    "openai",
  ),
  "attune-optimizations": header("Optimizations used, or `none`", "failover, cache-marks"),
  "attune-deviation": header("Whether the base model answered", "none", words("none", "routed", "best-of-n")),
  "attune-translation-loss": header("Parts that the other format can't carry; absent if there are none", "top_k"),
  "attune-usage": header(
    "`estimated` if the upstream didn't count the tokens, otherwise absent",
    "estimated",
    words("estimated"),
  ),
  "attune-token-count": header("Whether the upstream counted the tokens", "exact", words("exact", "estimated")),
  "attune-upstream-request-id": header("The upstream's identifier of the request", "req_011CSHoEeqs5C35K2UUqR7Fy"),
  "attune-budget-remaining-usd": header("USD left of the smallest budget", "12.500000"),
  "x-ratelimit-*": header("Limits, what is left, and when they reset: `x-ratelimit-remaining-requests`", "599"),
  "anthropic-ratelimit-*": header("The same in the Messages format: `anthropic-ratelimit-requests-remaining`", "599"),
  "openai-processing-ms": header("Processing time in milliseconds, as reported by the upstream", "412"),
  "retry-after": header("Seconds to wait before retrying, on errors", "1"),
  "retry-after-ms": header("Milliseconds to wait before retrying, on errors", "1000"),
  "x-should-retry": header("Whether a retry may succeed, on errors", "false", words("true", "false")),
} as const satisfies Readonly<Record<string, Header>>;

/** A header of an answer. */
export type AnswerHeader = keyof typeof ANSWER_HEADERS;

/** Headers of every answer of the API. */
export const ID_HEADERS = ["x-request-id", "request-id"] as const satisfies readonly AnswerHeader[];

/** Headers of every answer that an upstream made. */
export const SERVED_HEADERS = [
  ...ID_HEADERS,
  "attune-inference-id",
  "attune-served-by",
  "attune-optimizations",
  "attune-deviation",
  "attune-translation-loss",
  "attune-usage",
  "attune-upstream-request-id",
  "attune-budget-remaining-usd",
] as const satisfies readonly AnswerHeader[];

/** Headers of every failure. */
export const FAILURE_HEADERS = [
  "retry-after",
  "retry-after-ms",
  "x-should-retry",
  "attune-inference-id",
] as const satisfies readonly AnswerHeader[];
