import { Buffer } from "node:buffer";
import {
  type BadRequest,
  type ExpectedError,
  invalid,
  type Keys,
  modelNotFound,
  nested,
  notFound,
  tooLarge,
  unauthenticated,
  withStatus,
} from "./bad-request.ts";
import { GOOD_CHAT } from "./chat.ts";
import { GOOD_MESSAGES } from "./messages.ts";
import { GOOD_RESPONSES } from "./responses.ts";

/** Most bytes of a body in the service that these requests are sent to. */
export const BODY_LIMIT_BYTES = 1_000_000;

/** A request that is right, for each route that takes one. */
export const GOOD_BODIES: Readonly<Record<string, string>> = {
  "/v1/chat/completions": JSON.stringify(GOOD_CHAT),
  "/v1/responses": JSON.stringify(GOOD_RESPONSES),
  "/v1/messages": JSON.stringify(GOOD_MESSAGES),
  "/v1/feedback": "[]",
};
const POST_PATHS = Object.keys(GOOD_BODIES);
const GET_PATHS = ["/v1/models", "/v1/models/attune/gpt-6-astra"];
const PATHS = [...POST_PATHS, ...GET_PATHS];

type Headers = Readonly<Record<string, string | undefined>>;

const NOT_KNOWN = "the API key is not known, or was revoked";
const FORM = "the authorization header must have the form 'Bearer KEY'";

const KEYS: readonly (readonly [what: string, headers: (keys: Keys) => Headers, message: string])[] = [
  ["no key", () => ({ authorization: undefined }), "no API key came with the request"],
  ["a malformed key", () => ({ authorization: "Bearer nonsense" }), NOT_KNOWN],
  ["a key that was never given out", ({ unknown }) => ({ authorization: `Bearer ${unknown}` }), NOT_KNOWN],
  ["a revoked key", ({ revoked }) => ({ authorization: `Bearer ${revoked}` }), NOT_KNOWN],
  ["an expired key", ({ expired }) => ({ authorization: `Bearer ${expired}` }), NOT_KNOWN],
  ["a revoked x-api-key", ({ revoked }) => ({ authorization: undefined, "x-api-key": revoked }), NOT_KNOWN],
  ["an empty x-api-key", () => ({ authorization: undefined, "x-api-key": "" }), NOT_KNOWN],
  ["two different keys", ({ unknown }) => ({ "x-api-key": unknown }), "have different keys: send only one of them"],
  ["a key without scheme", ({ good }) => ({ authorization: good }), FORM],
  ["the wrong scheme", ({ good }) => ({ authorization: `Basic ${good}` }), FORM],
  ["an empty authorization", () => ({ authorization: "" }), FORM],
  ["a key of 4,000 characters", () => ({ authorization: `Bearer ${"k".repeat(4000)}` }), NOT_KNOWN],
];

const UTF8_BROKEN = Buffer.from([0x7b, 0x22, 0x6d, 0x22, 0x3a, 0x22, 0xc3, 0x28, 0x22, 0x7d]);
const NOT_JSON = "the body is not valid JSON";

const BODIES: readonly (readonly [what: string, body: string | Buffer, expected: ExpectedError])[] = [
  ["malformed JSON", '{\n"model": }', invalid(`${NOT_JSON} at line 2, column 10 (position 11): expected a value`)],
  ["truncated JSON", '{"model": "a", "messa', invalid(`${NOT_JSON} at line 1, column 22 (position 21)`)],
  ["two JSON values", "{}{}", invalid(`${NOT_JSON} at line 1, column 3 (position 2): expected the end`)],
  ["JSON with a comment", "{/* none */}", invalid(NOT_JSON)],
  ["a number that JSON does not have", '{"temperature": NaN}', invalid(NOT_JSON)],
  ["a NUL in a text", '{"model": "a\0b"}', invalid(NOT_JSON)],
  ["a byte order mark", `\uFEFF{"model": "attune/gpt-6-astra"}`, invalid(NOT_JSON)],
  ["bytes that are not UTF-8", UTF8_BROKEN, invalid("the body is not valid UTF-8")],
  ["no body", "", invalid("the request has no body")],
  ["a blank body", " \r\n ", invalid("the request has no body")],
  ["arrays of 10,000 levels", `${"[".repeat(10_000)}${"]".repeat(10_000)}`, invalid("nested deeper than 256 levels")],
  ["objects of 10,000 levels", nested(10_000), invalid("nested deeper than 256 levels")],
  ["10,000 levels that never close", '[{"a":'.repeat(10_000), invalid("nested deeper than 256 levels")],
  [
    "a body over the limit",
    `["${"x".repeat(BODY_LIMIT_BYTES)}"]`,
    tooLarge(`larger than the ${BODY_LIMIT_BYTES} bytes that this service accepts`),
  ],
];

const VALUES: readonly (readonly [what: string, body: string, kind: string])[] = [
  ["an array", "[]", "an array"],
  ["a text", '"Hello"', "a value"],
  ["a number", "5", "a value"],
  ["a boolean", "true", "a value"],
  ["null", "null", "a value"],
  ["a number beyond a double", "1e400", "a value"],
];

const JSON_ONLY = withStatus(415, invalid("send the body as JSON, with the header 'content-type: application/json'"));
const UNKNOWN = "which is not supported: use one of gzip, br, deflate, zstd, or send the body uncompressed";
const NOT_GZIP = "the body is not gzip, as the header 'content-encoding' says";

const HEADERS: readonly (readonly [what: string, headers: Headers, expected: ExpectedError])[] = [
  ["text/plain", { "content-type": "text/plain" }, JSON_ONLY],
  ["no content type", { "content-type": undefined }, JSON_ONLY],
  ["a form", { "content-type": "application/x-www-form-urlencoded" }, JSON_ONLY],
  ["a multipart form", { "content-type": "multipart/form-data; boundary=x" }, JSON_ONLY],
  ["a content type that is none", { "content-type": "json" }, JSON_ONLY],
  ["what is not gzip", { "content-encoding": "gzip" }, invalid(NOT_GZIP)],
  ["an unknown encoding", { "content-encoding": "compress" }, withStatus(415, invalid(`says 'compress', ${UNKNOWN}`))],
  ["three encodings", { "content-encoding": "br, br, br" }, withStatus(415, invalid(`says 'br, br, br', ${UNKNOWN}`))],
];

const WRONG_METHODS = {
  POST: ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"],
  GET: ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
};

const NOWHERE: readonly string[] = [
  "/v1",
  "/v1/nothing",
  "/v2/chat/completions",
  "/v1/completions",
  "/v1/chat",
  "/v1/chat%2Fcompletions",
  "/v1%2Fmodels",
  "//v1/models",
  "/v1/CHAT/completions",
  "/v1/responses/resp_1/nothing",
  "/v1/messages/batches",
  `/v1/${"x".repeat(8000)}`,
];

const NOT_A_URL: readonly string[] = [
  "/v1/models/%zz",
  "/v1/models/%",
  "/v1/models/%ff",
  "/%E0%A4%A",
  "/v1/messages/%c0",
];

/** Ids of stored responses that nobody has, however long. */
const LONG_IDS = [600, 8000].flatMap((length) =>
  ["", "/input_items"].map((rest) => [length, `/v1/responses/${"x".repeat(length)}${rest}`] as const),
);

const MODELS: readonly (readonly [what: string, path: string, expected: ExpectedError])[] = [
  ["an unknown model", "/v1/models/attune/nothing", modelNotFound("the model 'attune/nothing' does not exist")],
  ["an encoded slash", "/v1/models/attune%2Fnothing", modelNotFound("the model 'attune/nothing' does not exist")],
  [
    "a slash encoded twice",
    "/v1/models/attune%252Fgpt-6-astra",
    modelNotFound("'attune%2Fgpt-6-astra' does not exist"),
  ],
  ["a model with a NUL", "/v1/models/attune%00", modelNotFound("does not exist")],
  ["a way out", "/v1/models/../../etc/passwd", modelNotFound("does not exist")],
  ["a member of every object", "/v1/models/__proto__", modelNotFound("the model '__proto__' does not exist")],
  ["a model of 8,000 characters", `/v1/models/${"x".repeat(8000)}`, modelNotFound("does not exist")],
  ["a limit of 0", "/v1/models?limit=0", invalid("limit: must be a whole number from 1 to 1000", "limit")],
  ["a limit of 1001", "/v1/models?limit=1001", invalid("limit: must be a whole number from 1 to 1000", "limit")],
  ["a limit that is no number", "/v1/models?limit=many", invalid("limit: must be a whole number", "limit")],
  ["two limits", "/v1/models?limit=1&limit=2", invalid("limit: must be a whole number", "limit")],
  ["an empty limit", "/v1/models?limit=", invalid("limit: must be a whole number", "limit")],
  [
    "an unknown after_id",
    "/v1/models?after_id=x",
    invalid("after_id: is not the id of a model in the list", "after_id"),
  ],
  ["an unknown before_id", "/v1/models?before_id=x", invalid("before_id: is not the id of a model", "before_id")],
];

const FEEDBACK_FORM = invalid("the body must be a feedback event, or an array of them");

/** Requests without a good key, to every endpoint. */
export const WRONG_KEYS: readonly BadRequest[] = PATHS.flatMap((path) =>
  KEYS.map(([what, headers, message]) => {
    const body = GOOD_BODIES[path];
    return {
      what,
      method: body === undefined ? "GET" : "POST",
      path,
      headers,
      body,
      expected: unauthenticated(message),
    };
  }),
);

/** Whoever has a wrong key learns that, whatever else is wrong. */
export const WRONG_KEYS_AND_BODIES: readonly BadRequest[] = POST_PATHS.flatMap((path) =>
  BODIES.map(([what, body]) => ({
    what: `${what}, and a wrong key`,
    method: "POST",
    path,
    body,
    headers: ({ unknown }) => ({ authorization: `Bearer ${unknown}` }),
    expected: unauthenticated(NOT_KNOWN),
  })),
);

/** Bodies that no route takes. */
export const WRONG_FORMS: readonly BadRequest[] = POST_PATHS.flatMap((path) => [
  ...BODIES.map(([what, body, expected]) => ({ what, method: "POST", path, body, expected })),
  ...VALUES.filter(([, body]) => path !== "/v1/feedback" || body !== "[]").map(([what, body, kind]) => {
    const expected = path === "/v1/feedback" ? FEEDBACK_FORM : invalid(`must be a JSON object, not ${kind}`);
    return { what: `${what} as the body`, method: "POST", path, body, expected };
  }),
  ...HEADERS.map(([what, headers, expected]) => {
    return { what, method: "POST", path, body: GOOD_BODIES[path], headers: () => headers, expected };
  }),
]);

/** Methods that the routes do not have. */
export const WRONG_METHODS_REQUESTS: readonly BadRequest[] = PATHS.flatMap((path) => {
  const right = GOOD_BODIES[path] === undefined ? "GET" : "POST";
  return WRONG_METHODS[right].map((method) => ({
    what: method,
    method,
    path,
    body: method === "GET" ? undefined : '{"not": json',
    expected: withStatus(405, invalid(`${method} is not supported here: use ${right}`)),
  }));
});

/** Paths that do not exist. */
export const UNKNOWN_PATHS: readonly BadRequest[] = [
  ...NOWHERE.flatMap((path) =>
    ["GET", "POST", "DELETE"].map((method) => {
      const body = method === "POST" ? '{"not": json' : undefined;
      return { what: method, method, path, body, expected: notFound(`there is no ${method} ${path} here`) };
    }),
  ),
  // Where an id would stand, names of sub-routes are taken for none.
  ...["POST", "PUT", "PATCH"].flatMap((method) =>
    ["/v1/responses/abc", "/v1/responses/frobnicate?x=1"].map((path) => ({
      what: `${method} of a sub-route`,
      method,
      path,
      body: '{"not": json',
      expected: notFound(`there is no ${method} ${path.split("?")[0]} here`),
    })),
  ),
  ...NOT_A_URL.map((path) => ({
    what: "an escape that is none",
    method: "GET",
    path,
    expected: invalid("the path is not a valid URL"),
  })),
];

/** Parts of paths that are longer than any id. */
export const LONG_PATHS: readonly BadRequest[] = LONG_IDS.flatMap(([length, path]) => [
  {
    what: `an id of ${length} characters`,
    method: "GET",
    path,
    expected: notFound(`no stored response has the id '${"x".repeat(64)}'`),
  },
  {
    what: `an id of ${length} characters, without a key`,
    method: "GET",
    path,
    headers: () => ({ authorization: undefined }),
    expected: unauthenticated("no API key came with the request"),
  },
  {
    what: `an id of ${length} characters`,
    method: "PUT",
    path,
    expected: path.endsWith("/input_items") ? withStatus(405, invalid("use GET")) : notFound("there is no PUT /v1/"),
  },
]);

/** What the listing of models does not take. */
export const WRONG_MODELS: readonly BadRequest[] = MODELS.map(([what, path, expected]) => {
  return { what, method: "GET", path, expected };
});

/** The listing answers the SDK that names a version in that SDK's envelope. */
export const WRONG_MODELS_OF_ANTHROPIC: readonly BadRequest[] = WRONG_MODELS.map((request) => ({
  ...request,
  headers: () => ({ "anthropic-version": "2023-06-01" }),
}));
