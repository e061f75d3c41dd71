import type { Inbound, UpstreamKind } from "../topic.ts";

/** An error of an upstream, and what every caller gets of it. */
export interface ErrorCase {
  /** The row of the matrix. */
  readonly row: string;
  readonly status: number;
  readonly contentType?: string;
  readonly body: (kind: UpstreamKind) => string;
  readonly expected: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    /** Part of the message. */
    readonly message: string;
    /** `code` in Chat and Responses, `type` in Messages. */
    readonly name: Readonly<Record<Inbound, string>>;
    /** The number of deployments that are asked. */
    readonly calls: number;
  };
}

const PATHS: Record<UpstreamKind, string> = {
  "openai-chat": "/v1/chat/completions",
  "openai-responses": "/v1/responses",
  "anthropic-messages": "/v1/messages",
};

const named = (openai: string, messages: string): Record<Inbound, string> => ({
  chat: openai,
  responses: openai,
  messages,
});

const FLAGGED = "Your chosen model requires moderation and your input was flagged";

export const ERROR_CASES: readonly ErrorCase[] = [
  {
    row: "a prompt that a moderation refuses with 403",
    status: 403,
    body: () => JSON.stringify({ error: { code: 403, message: FLAGGED, metadata: { reasons: ["violence"] } } }),
    expected: {
      status: 400,
      headers: { "x-should-retry": "false" },
      message: FLAGGED,
      name: named("content_filter", "invalid_request_error"),
      calls: 1,
    },
  },
  {
    row: "an error in a list, with a delay",
    status: 429,
    body: () =>
      JSON.stringify([
        {
          error: {
            code: 429,
            message: "Quota exceeded.",
            status: "RESOURCE_EXHAUSTED",
            details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "12.2s" }],
          },
        },
      ]),
    expected: {
      status: 429,
      headers: { "retry-after": "13", "retry-after-ms": "12200", "x-should-retry": "true" },
      message: "Quota exceeded.",
      name: named("rate_limit_exceeded", "rate_limit_error"),
      calls: 2,
    },
  },
  {
    row: "a path that an upstream does not know",
    status: 404,
    body: (kind) =>
      JSON.stringify({ error: { message: `Invalid URL (POST ${PATHS[kind]})`, type: "not_found_error" } }),
    expected: {
      status: 502,
      headers: { "x-should-retry": "false" },
      message: "does not know POST /v1/",
      name: named("upstream_misconfigured", "api_error"),
      calls: 2,
    },
  },
  {
    row: "a page of HTML in place of an answer",
    status: 200,
    contentType: "text/html",
    body: () => "<!doctype html><title>Welcome</title>",
    expected: {
      status: 502,
      message: "with a page of HTML",
      name: named("upstream_misconfigured", "api_error"),
      calls: 2,
    },
  },
  {
    row: "a model that an upstream does not know",
    status: 404,
    body: () => JSON.stringify({ error: { message: "The model `real` does not exist.", type: "not_found_error" } }),
    expected: {
      status: 404,
      message: "The model `real` does not exist.",
      name: named("model_not_found", "not_found_error"),
      calls: 2,
    },
  },
];
