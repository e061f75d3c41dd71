import type { Answer } from "../support/scripted-upstream.ts";
import { ENDED, interrupted, overloaded, STALLED, type Words } from "./faults.ts";
import { textAnswers } from "./text-upstream.ts";
import { byKey, UPSTREAM_KINDS, type UpstreamKind } from "./topic.ts";

/** A way in which a whole answer is none. */
export interface WholeFault {
  readonly name: string;
  answer(kind: UpstreamKind): Answer;
  words(kind: UpstreamKind): Words;
}

/** Limits of the upstreams, as YAML: small ones. */
export const SMALL_LIMITS = ", limits: { eventBytes: 65536, eventValues: 2000 }";

const json = { "content-type": "application/json" };
const answers = textAnswers();
const WHOLE = byKey(UPSTREAM_KINDS, (kind) => answers[kind].whole);

/** A whole answer with this text in place of "Hello". */
const saying = (kind: UpstreamKind, text: string): string => WHOLE[kind].replace('"Hello"', text);

const broken = (message: string): Words => ({
  message,
  status: 502,
  type: "server_error",
  code: "upstream_error",
  messagesType: "api_error",
  reason: "upstream_error",
});

const NOT_JSON: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat": "the upstream's answer is broken: it is not JSON",
  "openai-responses": "the upstream sent an answer that is not a JSON object",
  "anthropic-messages": "the upstream's answer broke its format: it is not a JSON object",
};

const NO_OBJECT: Readonly<Record<UpstreamKind, string>> = {
  ...NOT_JSON,
  "openai-chat": "the upstream's answer is broken: it is not a JSON object",
};

/** An object that is no answer of the kind. */
const SHAPELESS: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat": "the upstream's answer ended before its finish_reason",
  "openai-responses": "the upstream ended its answer before it was complete",
  "anthropic-messages": "the upstream's answer broke its format: it has no stop_reason",
};

/** The member that holds what was said is there, and has another type than the documentation says. */
const MISSHAPEN: Readonly<Record<UpstreamKind, readonly [body: string, message: string]>> = {
  "openai-chat": [
    '{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"real-chat","choices":[{"index":0,"message":"Hello","finish_reason":"stop"}]}',
    "the upstream's answer is broken: choices[0].message is not an object",
  ],
  "openai-responses": [
    '{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"real-responses","output":["Hello"]}',
    "the upstream's answer is broken: output[0] is not an object",
  ],
  "anthropic-messages": [
    '{"id":"msg_1","type":"message","role":"assistant","model":"real-messages","content":["Hello"],"stop_reason":"end_turn","stop_sequence":null}',
    "the upstream's answer broke its format: a block is not an object",
  ],
};

/** An error in place of an answer, with the status of a success. */
const ERROR: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat":
    '{"error":{"message":"Too much to do","type":"service_unavailable_error","param":null,"code":"server_is_overloaded"}}',
  "openai-responses":
    '{"error":{"message":"Too much to do","type":"service_unavailable_error","param":null,"code":"server_is_overloaded"}}',
  "anthropic-messages":
    '{"type":"error","error":{"type":"overloaded_error","message":"Too much to do"},"request_id":"req_1"}',
};

const DEEP = 1100;
const PAGE = "<!doctype html><title>Welcome</title>";

const PATHS: Readonly<Record<UpstreamKind, string>> = {
  "openai-chat": "/v1/chat/completions",
  "openai-responses": "/v1/responses",
  "anthropic-messages": "/v1/messages",
};

/** No model's API answers so: the address is wrong. */
function page(kind: UpstreamKind): Words {
  const what = `the upstream '${kind}' answered POST ${PATHS[kind]} with a page of HTML (status 200)`;
  const message = `${what}: its baseUrl in the configuration may be wrong`;
  return { ...interrupted(message), code: "upstream_misconfigured", reason: "upstream_misconfigured" };
}

/** The ways to fail. */
export const WHOLE_FAULTS: readonly WholeFault[] = [
  {
    name: "dies inside its body",
    answer: (kind) => ({ headers: json, steps: [WHOLE[kind].slice(0, 60), { waitMs: 30 }, "die"] }),
    words: () => interrupted("the upstream interrupted its answer"),
  },
  {
    name: "stalls inside its body",
    answer: (kind) => ({ headers: json, steps: [WHOLE[kind].slice(0, 60)], hang: true }),
    words: (kind) => STALLED[kind],
  },
  {
    name: "ends inside its body",
    answer: (kind) => ({ headers: json, steps: [WHOLE[kind].slice(0, -1)] }),
    words: (kind) => interrupted(NOT_JSON[kind]),
  },
  {
    name: "sends nothing",
    answer: () => ({ headers: json, steps: [] }),
    words: (kind) => interrupted(NOT_JSON[kind]),
  },
  {
    name: "calls a page JSON",
    answer: () => ({ headers: json, steps: [PAGE] }),
    words: (kind) => interrupted(NOT_JSON[kind]),
  },
  {
    name: "calls JSON a stream",
    answer: (kind) => ({ headers: { "content-type": "text/event-stream" }, steps: [WHOLE[kind]] }),
    words: (kind) => interrupted(ENDED[kind]),
  },
  {
    name: "calls JSON a page",
    answer: (kind) => ({ headers: { "content-type": "text/html; charset=utf-8" }, steps: [WHOLE[kind]] }),
    words: page,
  },
  {
    name: "sends a list",
    answer: (kind) => ({ headers: json, steps: [`[${WHOLE[kind]}]`] }),
    words: (kind) => interrupted(NO_OBJECT[kind]),
  },
  {
    name: "sends an object that is no answer",
    answer: () => ({ headers: json, steps: ['{"greeting":"Hello"}'] }),
    words: (kind) => interrupted(SHAPELESS[kind]),
  },
  {
    name: "says it in another shape",
    answer: (kind) => ({ headers: json, steps: [MISSHAPEN[kind][0]] }),
    words: (kind) => interrupted(MISSHAPEN[kind][1]),
  },
  {
    name: "says an error with status 200",
    answer: (kind) => ({ headers: json, steps: [ERROR[kind]] }),
    words: () => overloaded,
  },
  {
    name: "says too much",
    answer: (kind) => ({ headers: json, steps: [saying(kind, JSON.stringify("a".repeat(65_536)))] }),
    words: () => broken("the upstream sent an answer of more than 65536 bytes, the maximum of its limits.eventBytes"),
  },
  {
    name: "says too many values",
    answer: (kind) => ({ headers: json, steps: [saying(kind, `[${Array(2001).fill("null").join(",")}]`)] }),
    words: () => broken("the upstream sent an answer of more than 2000 values, the maximum of its limits.eventValues"),
  },
  {
    name: "is nested too deep",
    answer: (kind) => ({ headers: json, steps: [saying(kind, "[".repeat(DEEP) + "]".repeat(DEEP))] }),
    words: () => broken("the upstream sent an answer that is nested deeper than 1024 levels"),
  },
];
