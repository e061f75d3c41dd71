import type { Random } from "../random.ts";
import { hostileText } from "./hostile.ts";

type Header = readonly [name: string, value: string];

const VALUES = [
  ...[
    "",
    " ",
    "x",
    "true",
    "false",
    "1",
    "-1",
    "NaN",
    "999999999999999999999",
    "é\xff",
    "\t",
    "a,b,c",
    ",,,",
    "a;b=c",
    '"',
    "__proto__",
    "constructor",
  ],
  ...[
    "identity",
    "gzip",
    "br",
    "chunked",
    "100-continue",
    "keep-alive",
    "close",
    "upgrade",
    "*/*",
    "2023-06-01",
    "2026-10-21",
    "1999-01-01",
    "application/json",
  ],
];

const NAMES = [
  ...[
    "accept",
    "accept-encoding",
    "anthropic-version",
    "anthropic-beta",
    "attune-strict",
    "attune-workload",
    "content-encoding",
    "cookie",
    "date",
  ],
  ...[
    "if-none-match",
    "if-modified-since",
    "range",
    "referer",
    "origin",
    "te",
    "trailer",
    "user-agent",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
  ],
  ...[
    "x-request-id",
    "request-id",
    "idempotency-key",
    "traceparent",
    "tracestate",
    "baggage",
    "x-stainless-retry-count",
    "constructor",
    "__proto__",
  ],
  ...[
    "x-http-method-override",
    "connect-timeout-ms",
    "grpc-timeout",
    "connection",
    "proxy-authorization",
    "sec-fetch-site",
    "forwarded",
    "priority",
  ],
];

const CONTENT_TYPES = [
  ...[
    "application/json; charset=utf-8",
    "application/json;charset=utf-16",
    "text/plain",
    "",
    "application/",
    "json",
    'application/json; a="',
    "*/*",
  ],
  ...[
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/proto",
    "application/grpc",
    "application/connect+json",
    "APPLICATION/JSON",
  ],
  ...[
    "application/json, text/plain",
    `application/json; ${"a=b;".repeat(300)}`,
    "text/event-stream",
    "application/vnd.api+json",
    "application/json\t;x",
  ],
];

/** Makes up to three headers that a caller would not send. */
export function oddHeaders(random: Random): Header[] {
  return Array.from({ length: random.integer(0, 3) }, () => [random.pick(NAMES), headerValue(random)] as const);
}

/** Makes a content type: one time in eight, not that of JSON. */
export function contentType(random: Random): Header[] {
  if (random.oneIn(40)) return [];
  return [["content-type", random.oneIn(8) ? random.pick(CONTENT_TYPES) : "application/json"]];
}

function headerValue(random: Random): string {
  switch (random.integer(0, 6)) {
    case 0:
      return "v".repeat(random.pick([100, 1000, 4000, 8000]));
    case 1:
      // What cannot stand in a header would end it; bytes beyond Latin-1 cannot be written.
      return hostileText(random)
        .replace(/[^\t\x20-\x7e\x80-\xff]/g, "?")
        .slice(0, 3000);
    default:
      return random.pick(VALUES);
  }
}

/** Makes headers that say who calls, rightly or not. */
export function wrongKeyHeaders(random: Random, wrongKey: string): Header[] {
  switch (random.integer(0, 7)) {
    case 0:
      return [];
    case 1:
      return [["x-api-key", wrongKey]];
    case 2:
      return [
        [
          "authorization",
          random.pick([
            "",
            "Bearer",
            "Bearer ",
            "Basic YTpi",
            "bearer x",
            "Bearer a b",
            "é",
            "Bearer \xff",
            `Bearer ${"k".repeat(4000)}`,
          ]),
        ],
      ];
    case 3:
      return [
        ["authorization", `Bearer ${wrongKey}`],
        ["x-api-key", "another"],
      ];
    case 4:
      return [
        ["authorization", `Bearer ${wrongKey}`],
        ["authorization", `Bearer ${wrongKey}x`],
      ];
    case 5:
      return [["x-api-key", random.pick(["", " ", "att_", "null", "undefined", "__proto__", "é".repeat(50)])]];
    default:
      return [["authorization", `Bearer ${wrongKey}`]];
  }
}

const METHODS = [
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "HEAD",
  "TRACE",
  "PROPFIND",
  "QUERY",
  "M-SEARCH",
  "PURGE",
];

/** Picks a method that a path may not have. */
export function anyMethod(random: Random): string {
  return random.pick(METHODS);
}

const SEGMENTS = [
  ...[
    "v1",
    "chat",
    "completions",
    "responses",
    "messages",
    "count_tokens",
    "input_tokens",
    "models",
    "feedback",
    "input_items",
    "attune",
    "sand",
    "healthz",
    "readyz",
  ],
  ...[
    "metrics",
    "dashboard",
    "",
    ".",
    "..",
    "%2e%2e",
    "%2f",
    "%00",
    "%",
    "%zz",
    "%ff",
    "%c0%ae",
    "%E0%A4%A",
    "*",
    ":id",
    "__proto__",
    "constructor",
    "~",
    ";x=1",
  ],
  ...[
    "00000000-0000-0000-0000-000000000000",
    "resp_1",
    "a b",
    "a\tb",
    "\\",
    "//",
    "é",
    "\xff",
    "%F0%9F%91%8D",
    "attune.inference.v1.InferenceService",
    "Generate",
  ],
];

/** Makes a path of parts that mean something and parts that mean nothing. */
export function oddPath(random: Random): string {
  if (random.oneIn(25))
    return random.pick([
      "*",
      "http://127.0.0.1/v1/models",
      "v1/models",
      "//",
      "/?",
      "/#",
      "http://[::1",
      "/v1/models?limit=1?limit=2",
    ]);
  const segments = Array.from({ length: random.integer(1, 5) }, () => segment(random));
  const path = `/${segments.join("/")}`;
  // A blank would end the path, and what follows would be no version: that is for raw sockets.
  return (random.oneIn(3) ? `${path}?${oddQuery(random)}` : path).replace(/[ \t]/g, random.oneIn(3) ? " " : "+");
}

function segment(random: Random): string {
  return random.oneIn(15) ? "s".repeat(random.pick([100, 511, 512, 513, 600, 4000])) : random.pick(SEGMENTS);
}

const QUERY_NAMES = [
  "limit",
  "after",
  "after_id",
  "before_id",
  "order",
  "include",
  "stream",
  "include[]",
  "__proto__",
  "constructor",
  "beta",
  "input",
  "batch",
  "",
];
const QUERY_VALUES = [
  "1",
  "0",
  "-1",
  "1e3",
  "999999999999",
  "asc",
  "desc",
  "true",
  "%00",
  "%ff",
  "%",
  "",
  "null",
  "[]",
  "__proto__",
  "attune/sand",
  "x".repeat(600),
];

/** Makes a query string. */
export function oddQuery(random: Random): string {
  const count = random.oneIn(30) ? random.integer(100, 1500) : random.integer(0, 3);
  return Array.from(
    { length: count },
    () => `${random.pick(QUERY_NAMES)}${random.oneIn(6) ? "" : "="}${random.pick(QUERY_VALUES)}`,
  )
    .join("&")
    .slice(0, 12_000);
}
