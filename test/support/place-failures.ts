/** The ways in which a place that serves models fails, and what is to be seen of each. */
import { type Answer, wholeAnswer } from "./scripted-upstream.ts";
import type { UpstreamKind } from "./upstream-frames.ts";

/** The three places that serve every model here, in their order; each speaks another format. */
export const PLACES = ["one", "two", "three"] as const;
export const FORMATS: Record<(typeof PLACES)[number], UpstreamKind> = {
  one: "chat",
  two: "responses",
  three: "messages",
};

/** An error answer as the two companies document theirs. */
export interface ErrorAnswer {
  readonly status: number;
  /** Type of the Messages format. */
  readonly type: string;
  /** Code of the OpenAI formats. */
  readonly code: string | null;
  readonly message: string;
  readonly headers?: Record<string, string>;
}

/** One way to fail. */
export interface Failure {
  /** What a place does that fails. */
  readonly answer: ErrorAnswer | Answer | "refuses connections";
  /** What the log says of it. */
  readonly reason: string;
  /** What the caller is told where no place is left. */
  readonly told: readonly [status: number, code: string | null];
}

const error = (status: number, type: string, code: string | null, message: string, headers = {}): ErrorAnswer => ({
  status,
  type,
  code,
  message,
  headers,
});

/** What another place may serve. */
export const MOVING: Readonly<Record<string, Failure>> = {
  "the key is unknown": {
    answer: error(401, "authentication_error", "invalid_api_key", "Incorrect API key provided"),
    reason: "upstream_unauthenticated",
    told: [502, "upstream_unauthenticated"],
  },
  "the key may not": {
    answer: error(403, "permission_error", null, "Not allowed"),
    reason: "upstream_unauthenticated",
    told: [502, "upstream_unauthenticated"],
  },
  "the quota is spent": {
    answer: error(402, "billing_error", "insufficient_quota", "You exceeded your current quota"),
    reason: "quota_exceeded",
    told: [402, "insufficient_quota"],
  },
  "the rate is limited": {
    answer: error(429, "rate_limit_error", "rate_limit_exceeded", "Slow down", { "retry-after": "7" }),
    reason: "rate_limited",
    told: [429, "rate_limit_exceeded"],
  },
  "the model is unknown": {
    answer: error(404, "not_found_error", "model_not_found", "The model does not exist"),
    reason: "model_not_found",
    told: [404, "model_not_found"],
  },
  "the prompt is too long": {
    answer: error(
      400,
      "invalid_request_error",
      "context_length_exceeded",
      "prompt is too long: 9000 tokens > 8000 maximum",
    ),
    reason: "context_length_exceeded",
    told: [400, "context_length_exceeded"],
  },
  "the request is too large": {
    answer: error(413, "request_too_large", null, "Request exceeds the maximum size"),
    reason: "request_too_large",
    told: [413, "request_too_large"],
  },
  "it has failed": {
    answer: error(500, "api_error", "server_error", "Internal server error"),
    reason: "upstream_error",
    told: [500, "upstream_error"],
  },
  "it is overloaded": {
    answer: error(503, "overloaded_error", "server_is_overloaded", "Overloaded"),
    reason: "upstream_overloaded",
    told: [503, "server_is_overloaded"],
  },
  "it is silent": {
    answer: { steps: [{ waitMs: 60_000 }] },
    reason: "upstream_timeout",
    told: [504, "upstream_timeout"],
  },
  "it takes no connections": {
    answer: "refuses connections",
    reason: "upstream_unreachable",
    told: [502, "upstream_unreachable"],
  },
  "it hangs up": { answer: { steps: ["die"] }, reason: "stream_interrupted", told: [502, "stream_interrupted"] },
  "it answers with a page": {
    answer: { headers: { "content-type": "text/html" }, steps: ["<html><body>Sign in</body></html>"] },
    reason: "upstream_misconfigured",
    told: [502, "upstream_misconfigured"],
  },
  "it answers with nothing": { answer: { steps: [] }, reason: "stream_interrupted", told: [502, "stream_interrupted"] },
};
/** What is wrong wherever it is served. */
export const STAYING: Readonly<Record<string, Failure>> = {
  "the request is wrong": {
    answer: error(400, "invalid_request_error", "invalid_value", "temperature: must be at most 1"),
    reason: "invalid_request",
    told: [400, "invalid_value"],
  },
};
export const FAILURES = { ...MOVING, ...STAYING };

export const MODES = ["whole", "streamed"] as const;
export type Mode = (typeof MODES)[number];

/** Returns what a place of a format answers that fails. */
export function failingAnswer(failure: Failure["answer"], format: UpstreamKind): Answer {
  if (failure === "refuses connections") throw new Error("nobody listens there");
  if (!("type" in failure)) return failure;
  const { status, type, code, message, headers } = failure;
  const body =
    format === "messages"
      ? { type: "error", error: { type, message }, request_id: "req_1" }
      : { error: { message, type: "invalid_request_error", param: null, code } };
  return { status, ...wholeAnswer(JSON.stringify(body), headers) };
}
