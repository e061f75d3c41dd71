import { SANDBOX_MODEL } from "../configuration.ts";
import type { Random } from "../random.ts";

const model = SANDBOX_MODEL;
const CHAT = "/v1/chat/completions";
const chat = (member: string): string => `{"model":"${model}","messages":[{"role":"user","content":"x"}],${member}}`;
const list = (count: number, item: string | ((index: number) => string)): string =>
  Array.from({ length: count }, (_, index) => (typeof item === "string" ? item : item(index))).join(",");

type Shape = readonly [what: string, path: string, perItemBytes: number, write: (count: number) => string];

/**
 * What expressions look for, one after another: whatever begins anew at each of them takes the square of their number.
 */
const BAITS = ["[1]", "a.", "1", "_at", "sk-"];

const BAITED: readonly Shape[] = BAITS.flatMap((bait): readonly Shape[] => [
  [`a name of ${bait}`, CHAT, bait.length, (count) => chat(`"${bait.repeat(count)}x":1`)],
  [
    `a name of ${bait} in a message`,
    CHAT,
    bait.length,
    (count) => `{"model":"${model}","messages":[{"role":"user","content":"x","${bait.repeat(count)}x":1}]}`,
  ],
  [
    `a prompt of ${bait}`,
    CHAT,
    bait.length,
    (count) => `{"model":"${model}","messages":[{"role":"user","content":"${bait.repeat(count)}x"}]}`,
  ],
]);

/** Bodies that are right in form and have much of one thing. `count` is how much. */
const SHAPES: readonly Shape[] = [
  ...BAITED,
  ["unknown members", CHAT, 12, (count) => chat(list(count, (index) => `"m${index}":1`))],
  ["members of a list", CHAT, 2, (count) => chat(`"vendor":[${list(count, "1")}]`)],
  ["empty objects", CHAT, 3, (count) => chat(`"vendor":[${list(count, "{}")}]`)],
  ["long numbers", CHAT, 22, (count) => chat(`"vendor":[${list(count, "12345678901234567890")}]`)],
  ["one number", CHAT, 1, (count) => chat(`"vendor":${"9".repeat(count)}`)],
  ["one text", CHAT, 1, (count) => chat(`"user":"${"a".repeat(count)}"`)],
  ["a text of escapes", CHAT, 6, (count) => chat(`"user":"${"\\u0000".repeat(count)}"`)],
  [
    "messages",
    CHAT,
    30,
    (count) => `{"model":"${model}","messages":[${list(count, '{"role":"user","content":"x"}')}]}`,
  ],
  [
    "parts",
    CHAT,
    27,
    (count) =>
      `{"model":"${model}","messages":[{"role":"user","content":[${list(count, '{"type":"text","text":"x"}')}]}]}`,
  ],
  [
    "tools",
    CHAT,
    60,
    (count) =>
      chat(
        `"tools":[${list(count, (index) => `{"type":"function","function":{"name":"f${index}","parameters":{}}}`)}]`,
      ),
  ],
  [
    "a prompt",
    CHAT,
    1,
    (count) => `{"model":"${model}","messages":[{"role":"user","content":"${"aaaa ".repeat(count / 5)}"}]}`,
  ],
  [
    "a prompt of one letter",
    CHAT,
    1,
    (count) => `{"model":"${model}","messages":[{"role":"user","content":"${"a".repeat(count)}"}]}`,
  ],
  ["members with one name", CHAT, 6, (count) => chat(list(count, '"a":1'))],
  ["metadata", CHAT, 10, (count) => chat(`"metadata":{${list(count, (index) => `"k${index}":"v"`)}}`)],
  ["stops", CHAT, 4, (count) => chat(`"stop":[${list(count, '"s"')}]`)],
  [
    "items",
    "/v1/responses",
    30,
    (count) => `{"model":"${model}","input":[${list(count, '{"role":"user","content":"x"}')}]}`,
  ],
  [
    "calls",
    "/v1/responses",
    80,
    (count) =>
      `{"model":"${model}","input":[${list(count, (index) => `{"type":"function_call","call_id":"c${index}","name":"f","arguments":"{}"}`)}]}`,
  ],
  [
    "blocks",
    "/v1/messages",
    27,
    (count) =>
      `{"model":"${model}","max_tokens":9,"messages":[{"role":"user","content":[${list(count, '{"type":"text","text":"x"}')}]}]}`,
  ],
  [
    "an input of a call",
    "/v1/messages",
    9,
    (count) =>
      `{"model":"${model}","max_tokens":9,"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{${list(count, (index) => `"k${index}":1`)}}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}]}`,
  ],
  ["feedback events", "/v1/feedback", 20, (count) => `[${list(Math.min(count, 20_000), '{"id":"x","feedback":{}}')}]`],
  [
    "feedback leaves",
    "/v1/feedback",
    10,
    (count) =>
      `[{"id":"019aa1c2-7d53-7b60-8f5e-3a1d2c4b5e6f","feedback":{${list(count, (index) => `"k${index}":1`)}}}]`,
  ],
  ["no JSON", CHAT, 1, (count) => "[".repeat(count)],
  ["blanks", CHAT, 1, (count) => " ".repeat(count)],
];

/** Makes a body of 100 KB to 31 MB, most of them small ones. */
export function largeBody(random: Random): { readonly path: string; readonly body: Buffer } {
  const [, path, perItemBytes, write] = random.pick(SHAPES);
  const bytes = random.oneIn(12) ? random.integer(4e6, 31e6) : random.integer(1e5, 3e6);
  return { path, body: Buffer.from(write(Math.floor(bytes / perItemBytes))) };
}
