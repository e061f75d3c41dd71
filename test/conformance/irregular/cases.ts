import type { Inbound, UpstreamKind } from "../topic.ts";
import { named, STREAMED, type ToldAnswer, WHOLE } from "./answers.ts";
import type { ReadAnswer } from "./read-answer.ts";

/** An answer that is not as its format says, and what every caller gets of it. */
export interface IrregularCase {
  /** The row of the matrix. */
  readonly row: string;
  readonly name: string;
  readonly kind: UpstreamKind;
  /** Absent: such an answer only comes streamed. */
  readonly whole?: string;
  readonly streamed: string;
  readonly expected: Readonly<Record<Inbound, Partial<ReadAnswer>>>;
}

const KINDS: readonly UpstreamKind[] = ["openai-chat", "openai-responses", "anthropic-messages"];

/** How each format says that an answer ended, and that tools are called. */
const ENDED: Record<Inbound, string> = { chat: "stop", responses: "completed", messages: "end_turn" };
const CALLED: Record<Inbound, string> = { chat: "tool_calls", responses: "completed", messages: "tool_use" };

const forAll = (members: Partial<ReadAnswer>, finish: Record<Inbound, string>): IrregularCase["expected"] => ({
  chat: { ...members, finish: finish.chat },
  responses: { ...members, finish: finish.responses },
  messages: { ...members, finish: finish.messages },
});

function bothWays(row: string, name: string, kind: UpstreamKind, answer: ToldAnswer) {
  return { row, name, kind, whole: WHOLE[kind](answer), streamed: STREAMED[kind](answer) };
}

const STOPS = "stop reasons that do not fit the content";
const stops: IrregularCase[] = [
  ...["tool_calls", "function_call"].map((reason) => ({
    ...bothWays(STOPS, `${reason} without a call`, "openai-chat", { text: "No.", calls: [], reason }),
    expected: forAll({ text: "No.", calls: [] }, ENDED),
  })),
  {
    ...bothWays(STOPS, "tool_use without a call", "anthropic-messages", { text: "No.", reason: "tool_use" }),
    expected: forAll({ text: "No.", calls: [] }, ENDED),
  },
  ...(["openai-chat", "anthropic-messages"] as const).map((kind) => ({
    ...bothWays(STOPS, "the end beside a call", kind, {
      calls: [{ id: "call_1", name: "look", text: '{"q":"x"}' }],
      reason: kind === "openai-chat" ? "stop" : "end_turn",
    }),
    expected: forAll({ calls: [["look", '{"q":"x"}']] }, CALLED),
  })),
];

const blanks: IrregularCase[] = KINDS.map((kind) => ({
  ...bothWays("calls with blank arguments", "one of two", kind, {
    calls: [
      { id: "call_1", name: "look", text: "" },
      { id: "call_2", name: "seek", text: '{"q":"x"}' },
    ],
    reason: kind === "openai-chat" ? "tool_calls" : "tool_use",
  }),
  expected: forAll(
    {
      calls: [
        ["look", "{}"],
        ["seek", '{"q":"x"}'],
      ],
    },
    CALLED,
  ),
}));

const begin = (index: number, id: string, name: string) => ({
  ...{ type: "content_block_start", index, content_block: { type: "tool_use", id, name, input: {} } },
});
const grow = (index: number, text: string) => ({
  ...{ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: text } },
});
const overlapping: IrregularCase = {
  row: "blocks of an answer that overlap",
  name: "two calls",
  kind: "anthropic-messages",
  streamed: named([
    { type: "message_start", message: { id: "msg_1", type: "message", role: "assistant", model: "m", content: [] } },
    ...[begin(0, "a", "look"), begin(1, "b", "seek"), grow(0, '{"q":'), grow(1, '{"r":'), grow(0, '"x"}')],
    { type: "content_block_stop", index: 0 },
    grow(1, '"y"}'),
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } },
    { type: "message_stop" },
  ] as { type: string }[]),
  expected: forAll(
    {
      calls: [
        ["look", '{"q":"x"}'],
        ["seek", '{"r":"y"}'],
      ],
    },
    CALLED,
  ),
};

export const IRREGULAR_CASES: readonly IrregularCase[] = [...stops, ...blanks, overlapping];
