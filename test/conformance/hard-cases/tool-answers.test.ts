import { describe, expect, it } from "vitest";
import { FORMATS, type Format } from "../../support/sdk-calls.ts";
import { answerOf, MODEL } from "../../support/sdk-fixture.ts";
import {
  argumentsChunk,
  CALLS,
  callBlock,
  callChunk,
  chatFrames,
  messagesFrames,
  TEXT,
  UPSTREAM_KINDS,
} from "../../support/upstream-frames.ts";
import { ask } from "./ask.ts";
import { useHardCases } from "./hard-case.ts";

const cases = useHardCases();
const routes = FORMATS.flatMap((format) => UPSTREAM_KINDS.map((kind) => ({ format, kind })));

describe("a text and two parallel calls", () => {
  const calls = CALLS.map((call) => ({ ...call, pieces: ["{", call.arguments.slice(1)] }));

  it.each(UPSTREAM_KINDS)("case 2: satisfy the accumulator of Responses, of a %s upstream", async (kind) => {
    const saying = { text: ["Grüße 🌍", ' — "ok"\n'], calls };
    cases().says(kind, saying);
    const streamed = await cases().openai().responses.stream({ model: MODEL[kind], input: "Hello" }).finalResponse();
    cases().says(kind, saying);
    const whole = await cases().openai().responses.create({ model: MODEL[kind], input: "Hello" });
    expect(streamed.output.map(({ type }) => type)).toEqual(["message", "function_call", "function_call"]);
    expect(streamed.output.slice(1)).toMatchObject(CALLS.map(({ id: call_id, ...call }) => ({ call_id, ...call })));
    // Ids that Attune makes hold that of the inference.
    const withoutIds = (id: string, text: string): string => text.replaceAll(id.replaceAll("-", ""), "");
    // The accumulator adds what it parsed of the text.
    const items = streamed.output.map((item) => JSON.stringify(item).replaceAll(/,"parsed(_arguments)?":null/g, ""));
    expect(items.map((item) => withoutIds(streamed.id, item))).toEqual(
      whole.output.map((item) => withoutIds(whole.id, JSON.stringify(item))),
    );
    expect(streamed.output_text).toBe(TEXT);
  });
});

/** Arguments as a Chat upstream sends them, and the object that a Messages caller gets, byte for byte. */
const ARGUMENTS: readonly (readonly [what: string, pieces: readonly string[], input: string])[] = [
  ["an empty string", [""], "{}"],
  ["no delta at all", [], "{}"],
  ["{}", ["{}"], "{}"],
  [
    "escaped quotes in nested JSON",
    ['{"q":"{\\"a\\":', '\\"\\\\\\"b\\\\\\"\\"}"}'],
    '{"q":"{\\"a\\":\\"\\\\\\"b\\\\\\"\\"}"}',
  ],
  ["1e400", ['{"n":1e', "400}"], '{"n":1e400}'],
  ["2^53+1", ['{"n":90071992', "54740993}"], '{"n":9007199254740993}'],
  ["text that is no JSON", ["city=", "Oslo"], "{}"],
  ["an array", ["[1,2]"], "{}"],
  ["a lone surrogate, NUL and U+2028", ['{"s":"\\ud83d \\u0000 \u2028"}'], '{"s":"\\ud83d \\u0000 \u2028"}'],
];

describe("arguments of a call", () => {
  it.each(ARGUMENTS)("case 12: %s become a valid input object of Messages", async (_what, pieces, input) => {
    cases().says("chat", { calls: [{ id: "call_1", name: "f", pieces }] });
    const { status, text } = await cases().post("messages", { model: MODEL.chat });
    expect(status).toBe(200);
    expect(text).toContain(`"name":"f","input":${input},`);
  });

  it.each(ARGUMENTS)("case 12: %s are a valid object at the end of a Messages stream", async (_what, pieces, input) => {
    cases().says("chat", { calls: [{ id: "call_1", name: "f", pieces }] });
    const { text } = await cases().post("messages", { model: MODEL.chat, stream: true });
    const deltas = text.split("\n").filter((line) => line.startsWith('data: {"type":"content_block_delta"'));
    const parts = deltas.map((line) => (JSON.parse(line.slice(6)) as PartialJson).delta.partial_json);
    // No delta means an input without members, as the format has it.
    expect(parts.join("") || "{}").toBe(input);
  });

  it("case 12: JSON that breaks after it began as an object is {} as a whole; a stream has sent it by then", async () => {
    cases().says("chat", { calls: [{ id: "call_1", name: "f", pieces: ['{"city":', "Oslo}"] }] });
    expect((await cases().post("messages", { model: MODEL.chat })).text).toContain('"name":"f","input":{},');
    const { text } = await cases().post("messages", { model: MODEL.chat, stream: true });
    expect(text).toContain('"partial_json":"{\\"city\\":"');
    expect(text).toContain("event: message_stop");
  });

  it("case 12: keys that are there twice make an object that parsers take", async () => {
    cases().says("chat", { calls: [{ id: "call_1", name: "f", pieces: ['{"a":1,', '"a":2}'] }] });
    const said = await ask(cases(), "messages", { model: MODEL.chat });
    expect(said.calls).toEqual([{ id: "call_1", name: "f", arguments: '{"a":2}' }]);
  });

  it.each(UPSTREAM_KINDS)(
    "case 12: stay as they are for callers of Chat and Responses, of a %s upstream",
    async (kind) => {
      const pieces = ['{"n":1e', '400,"big":9007199254740993,"a":1,"a":2}'];
      for (const format of ["chat", "responses"] as const) {
        for (const stream of [false, true]) {
          cases().says(kind, { calls: [{ id: "call_1", name: "f", pieces }] });
          const { calls } = await ask(cases(), format, { model: MODEL[kind], stream });
          // A whole Messages answer has an object in its own JSON, of whose members of one name the last counts.
          const isObject = kind === "messages" && !stream;
          const said = isObject ? '{"n":1e400,"big":9007199254740993,"a":2}' : pieces.join("");
          expect(calls).toEqual([{ id: "call_1", name: "f", arguments: said }]);
        }
      }
    },
  );
});

interface PartialJson {
  readonly delta: { readonly partial_json: string };
}

describe("an answer that is cut", () => {
  const REASON: Record<Format, string> = {
    chat: "length",
    responses: "max_output_tokens",
    messages: "max_tokens",
  };

  it.each(routes)("case 16: says so in $format, of a $kind upstream", async ({ format, kind }) => {
    for (const stream of [false, true]) {
      cases().script(kind, "length");
      const said = await ask(cases(), format, { model: MODEL[kind], stream });
      expect(said).toMatchObject({ text: "Once upon a", reason: REASON[format], calls: [] });
    }
  });

  it.each(FORMATS)("case 16: says so in %s, of the sandbox", async (format) => {
    const limit = { chat: "max_completion_tokens", responses: "max_output_tokens", messages: "max_tokens" }[format];
    const said = await ask(cases(), format, { model: "attune/sandy:sandbox-long", members: { [limit]: 20 } });
    expect(said).toMatchObject({ reason: REASON[format], output: 20 });
  });

  it("case 16: does not pass a call whose arguments were cut for a whole one", async () => {
    const cut = '{"city":"Os';
    const chat = answerOf(chatFrames([callChunk(0, { id: "call_1", name: "f" }), argumentsChunk(0, cut)], "length"));
    const frames = messagesFrames([callBlock({ id: "call_1", name: "f" }, cut)], "max_tokens");
    for (const [kind, answer] of [
      ["chat", chat],
      ["messages", answerOf(frames)],
    ] as const) {
      cases().upstream.answer(answer);
      const response = (await cases().post("responses", { model: MODEL[kind] })).json();
      expect(response).toMatchObject({
        status: "incomplete",
        incomplete_details: { reason: "max_output_tokens" },
        output: [{ type: "function_call", arguments: cut, status: "incomplete" }],
      });
      const completion = (await cases().post("chat", { model: MODEL[kind] })).json();
      expect(completion).toMatchObject({ choices: [{ finish_reason: "length" }] });
      const message = (await cases().post("messages", { model: MODEL[kind] })).json();
      expect(message).toMatchObject({ stop_reason: "max_tokens", content: [{ type: "tool_use", input: {} }] });
    }
  });
});
