/** Requests of all sorts, as callers of the three public formats write them. */
import fc from "fast-check";

export const FORMATS = ["chat", "responses", "messages"] as const;
export type Format = (typeof FORMATS)[number];
export const PATHS: Record<Format, string> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
};

export type Json = Record<string, unknown>;

/** What is asked, whatever the format. */
export interface Asked {
  readonly system: string;
  readonly turns: readonly { readonly user: string; readonly reply: string; readonly result: string }[];
  readonly question: string;
  readonly tools: number;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly label: string;
  readonly ownKey: string | undefined;
  readonly ownMark: boolean;
  readonly stream: boolean;
}

const phrase = fc.oneof(
  fc.constantFrom("Say it.", 'A "quoted" \\ word', "two\nlines", "Grüße 🌍"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).map((text) => `x${text}`),
);
const text = fc.tuple(phrase, fc.constantFrom(1, 40)).map(([words, times]) => words.repeat(times));
export const asked: fc.Arbitrary<Asked> = fc.record({
  system: fc.oneof(fc.constant(""), text),
  turns: fc.array(fc.record({ user: text, reply: text, result: text }), { maxLength: 3 }),
  question: text,
  tools: fc.integer({ min: 0, max: 3 }),
  temperature: fc.constantFrom(0, 0.5, undefined),
  topP: fc.constantFrom(0.25, undefined),
  label: fc.constantFrom("", "a"),
  ownKey: fc.option(fc.constantFrom("", "mine"), { nil: undefined, freq: 4 }),
  ownMark: fc.boolean(),
  stream: fc.boolean(),
});

const SCHEMA = { type: "object", properties: { b: { type: "string" }, a: { type: "integer" } }, required: ["b"] };
const CALL = { name: "tool_0", arguments: '{"b":"1", "a":2}' };
const marked = (is: boolean): object => (is ? { cache_control: { type: "ephemeral" } } : {});

const SAY: Record<Format, (asked: Asked) => Json> = {
  chat: ({ system, turns, question, tools, ownKey }) => ({
    messages: [
      ...(system === "" ? [] : [{ role: "system", content: system }]),
      ...turns.flatMap(({ user, reply, result }, index) => [
        { role: "user", content: user },
        ...(tools === 0
          ? []
          : [
              {
                role: "assistant",
                content: null,
                tool_calls: [{ id: `call_${index}`, type: "function", function: CALL }],
              },
              { role: "tool", tool_call_id: `call_${index}`, content: result },
            ]),
        { role: "assistant", content: reply },
      ]),
      { role: "user", content: question },
    ],
    ...(tools > 0 && {
      tools: namesOf(tools).map((name) => ({
        type: "function",
        function: { name, description: "d".repeat(60), parameters: SCHEMA },
      })),
    }),
    ...(ownKey !== undefined && { prompt_cache_key: ownKey }),
  }),
  responses: ({ system, turns, question, tools, ownKey }) => ({
    ...(system !== "" && { instructions: system }),
    input: [
      ...turns.flatMap(({ user, reply, result }, index) => [
        { role: "user", content: user },
        ...(tools === 0
          ? []
          : [
              { type: "function_call", call_id: `call_${index}`, ...CALL },
              { type: "function_call_output", call_id: `call_${index}`, output: result },
            ]),
        { role: "assistant", content: reply },
      ]),
      { role: "user", content: question },
    ],
    ...(tools > 0 && {
      tools: namesOf(tools).map((name) => ({
        type: "function",
        name,
        description: "d".repeat(60),
        parameters: SCHEMA,
        strict: false,
      })),
    }),
    store: false,
    ...(ownKey !== undefined && { prompt_cache_key: ownKey }),
  }),
  messages: ({ system, turns, question, tools, ownMark }) => ({
    max_tokens: 64,
    ...(system !== "" && { system: [{ type: "text", text: system, ...marked(ownMark) }] }),
    messages: [
      ...turns.flatMap(({ user, reply, result }, index) => [
        { role: "user", content: user },
        ...(tools === 0
          ? []
          : [
              {
                role: "assistant",
                content: [{ type: "tool_use", id: `call_${index}`, name: CALL.name, input: { b: "1", a: 2 } }],
              },
              {
                role: "user",
                content: [{ type: "tool_result", tool_use_id: `call_${index}`, content: result, ...marked(ownMark) }],
              },
            ]),
        { role: "assistant", content: reply },
      ]),
      { role: "user", content: question },
    ],
    ...(tools > 0 && {
      tools: namesOf(tools).map((name) => ({ name, description: "d".repeat(60), input_schema: SCHEMA })),
    }),
  }),
};

const namesOf = (tools: number): string[] => Array.from({ length: tools }, (_none, index) => `tool_${index}`);

/** Returns the body of a request in a format. */
export function bodyOf(format: Format, model: string, asked: Asked): Json {
  const { temperature, topP, label, stream } = asked;
  return {
    model: `attune/${model}`,
    ...SAY[format](asked),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(label !== "" && { metadata: format === "messages" ? { user_id: label } : { label } }),
    ...(stream && { stream }),
  };
}
