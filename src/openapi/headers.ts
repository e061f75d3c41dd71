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
    "`true`: what the upstream's format cannot carry refuses the request",
    "true",
    words("true", "false"),
  ),
  "attune-workload": header("Label of the inference", "triage", text("", { maxLength: 256 })),
  "attune-session": header("Session of the call: calls that belong together", "run-7"),
  "attune-parent-session": header("Session that began this one", "run-6"),
  "attune-user": header("End user for whom the call is made", "jane"),
  "attune-tags": header("Labels of the call: at most 16", "team=search, env=prod"),
  "attune-optimize": header("`off`: the model's first deployment alone is asked", "off", words("on", "off")),
  "attune-candidates": header(
    "Answers that are asked for; the best one is returned",
    "2",
    integer("", { minimum: 1, maximum: 4 }),
  ),
  "attune-max-usd": header("Most that the call may cost, in USD", "0.05"),
  "x-request-timeout": header(
    "Seconds until a whole answer is there, or a stream has begun; `1500ms` in milliseconds",
    "30",
  ),
  "attune-store": header("`none`: no texts of the call are kept", "none", words("none")),
} as const satisfies Readonly<Record<string, Header>>;

/** Headers of some requests. */
export const REQUEST_HEADERS = {
  ...CALL_HEADERS,
  "idempotency-key": header(
    "The same request under the same key gets the same answer, and is billed once",
    "order-17",
    text("", { minLength: 1, maxLength: 255 }),
  ),
  "anthropic-version": header("Version of the Messages format", "2023-06-01", words("2023-06-01", "2026-10-21")),
  "anthropic-beta": header("Beta features, for upstreams of the Messages format", "context-1m-2025-08-07"),
  "x-request-id": header("Identifier of the request; a new one without it", "req-17", text("", { maxLength: 128 })),
} as const satisfies Readonly<Record<string, Header>>;

/** A header of a request. */
export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** Headers of answers. Those of a stream are sent before its first event. */
export const ANSWER_HEADERS = {
  "x-request-id": header("Identifier of the request, also in the log", "01a21d33-495e-7104-99ce-9bcc0fcb155c"),
  "request-id": header("The same, as clients of the Messages format read it", "01a21d33-495e-7104-99ce-9bcc0fcb155c"),
  "attune-inference-id": header("Id of the inference, which feedback takes", "01a21d33-4ae2-7e1a-93a1-2f8e7c1d0b44"),
  "attune-served-by": header("Upstream that answered; with `; model=NAME` where another model may have", "openai"),
  "attune-optimizations": header("Optimizations that were used, or `none`", "failover, cache-marks"),
  "attune-deviation": header("Whether the base model answered", "none", words("none", "routed", "best-of-n")),
  "attune-translation-loss": header("Parts that the other format cannot carry; absent if there are none", "top_k"),
  "attune-usage": header("Tokens are estimated; absent if the upstream counted them", "estimated", words("estimated")),
  "attune-token-count": header("Whether a count of tokens is the upstream's", "exact", words("exact", "estimated")),
  "attune-upstream-request-id": header("The upstream's identifier of the request", "req_011CSHoEeqs5C35K2UUqR7Fy"),
  "attune-budget-remaining-usd": header("USD that are left of the smallest budget", "12.500000"),
  "x-ratelimit-*": header("Limits, what is left of them, and when they renew: `x-ratelimit-remaining-requests`", "599"),
  "anthropic-ratelimit-*": header("The same in the Messages format: `anthropic-ratelimit-requests-remaining`", "599"),
  "openai-processing-ms": header("Time that the upstream took, as it says", "412"),
  "retry-after": header("Seconds until the next try, on errors", "1"),
  "retry-after-ms": header("Milliseconds until the next try, on errors", "1000"),
  "x-should-retry": header("Whether the same request may succeed later, on errors", "false", words("true", "false")),
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
