import { changed, nested } from "./bad-request.ts";
import { GOOD_CHAT } from "./chat.ts";
import { GOOD_MESSAGES } from "./messages.ts";
import { GOOD_RESPONSES } from "./responses.ts";

/** A request that looks like an attack, and is right. */
export type OddRequest = readonly [what: string, path: string, body: string];

const chat = (members: string) =>
  `{"model":"attune/gpt-6-astra","messages":[{"role":"user","content":"x"}],${members}}`;
const spoken = (content: string) => `{"model":"attune/gpt-6-astra","messages":[{"role":"user","content":${content}}]}`;

/** A schema that names what every object of JavaScript has. */
const SCHEMA =
  '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}},"required":["__proto__"]}';

const CALLED = [
  ...GOOD_CHAT.messages,
  {
    role: "assistant",
    tool_calls: [{ id: "call\0\ud800", type: "function", function: { name: "f\0", arguments: '{"a":"\0\udfff"}' } }],
  },
  { role: "tool", tool_call_id: "call\0\ud800", content: "\0\ud800" },
];

const USED =
  '[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"t\\u0000","name":"f",' +
  '"input":{"__proto__":{"x":"\\ud800\\u0000"},"n":1e400,"i":9007199254740993}}]},' +
  '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t\\u0000","content":"\\udfff"}]}]';

/** Requests that must be answered with 200. */
export const ODD: readonly OddRequest[] = [
  ["a member __proto__", "/v1/chat/completions", chat('"__proto__":{"model":"x"}')],
  ["a member constructor", "/v1/chat/completions", chat('"constructor":{"prototype":{"model":"x"}}')],
  ["members of every object", "/v1/chat/completions", chat('"toString":1,"hasOwnProperty":2,"valueOf":null')],
  ["metadata __proto__", "/v1/chat/completions", chat('"metadata":{"__proto__":"x","constructor":"y"}')],
  ["a NUL", "/v1/chat/completions", spoken('"a\\u0000b"')],
  ["half of a surrogate pair", "/v1/chat/completions", spoken('"a\\ud800b"')],
  ["a part of the type constructor", "/v1/chat/completions", spoken('[{"type":"constructor"},{"type":"__proto__"}]')],
  ["NULs and surrogates in a call", "/v1/chat/completions", changed(GOOD_CHAT, { messages: CALLED })],
  ["a number of 30 digits", "/v1/chat/completions", chat(`"seed":${"9".repeat(20)},"vendor_option":${"9".repeat(30)}`)],
  ["a number beyond a double", "/v1/chat/completions", chat('"vendor_option":1e400')],
  ["250 levels", "/v1/chat/completions", chat(`"vendor_option":${nested(250)}`)],
  [
    "a tool named __proto__",
    "/v1/chat/completions",
    chat(`"tools":[{"type":"function","function":{"name":"__proto__","parameters":${SCHEMA}}}]`),
  ],
  ["names of members that are header text", "/v1/chat/completions", chat('"\\r\\nset-cookie: a=b\\ud800é":1')],
  ["5,000 members that are not known", "/v1/chat/completions", chat(manyMembers(5000))],
  ["an item of the type constructor", "/v1/responses", changed(GOOD_RESPONSES, { input: [{ type: "constructor" }] })],
  ["a surrogate in the input", "/v1/responses", '{"model":"attune/gpt-6-astra","input":"a\\ud800\\u0000"}'],
  ["metadata __proto__", "/v1/responses", '{"model":"attune/gpt-6-astra","input":"x","metadata":{"__proto__":"x"}}'],
  ["a block of the type toString", "/v1/messages", changed(GOOD_MESSAGES, blocks("toString", "__proto__"))],
  [
    "odd members in a call's input",
    "/v1/messages",
    `{"model":"${GOOD_MESSAGES.model}","max_tokens":99,"messages":${USED}}`,
  ],
];

function blocks(...types: string[]): object & Record<string, unknown> {
  return { messages: [{ role: "user", content: types.map((type) => ({ type })) }] };
}

function manyMembers(count: number): string {
  return Array.from({ length: count }, (_, index) => `"member_${index}":${index}`).join(",");
}
