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
  /** True if the caller is told that the usage is an estimate. */
  readonly isEstimated?: boolean;
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
  type: "content_block_start",
  index,
  content_block: { type: "tool_use", id, name, input: {} },
});
const grow = (index: number, text: string) => ({
  type: "content_block_delta",
  index,
  delta: { type: "input_json_delta", partial_json: text },
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

/** The usage of an answer, as each format tells it. */
function toldUsage({ input = 0, read = 0, written = 0, output = 0 }): IrregularCase["expected"] {
  const prompt = input + read + written;
  const total = prompt + output;
  return {
    chat: {
      usage: {
        prompt_tokens: prompt,
        completion_tokens: output,
        total_tokens: total,
        prompt_tokens_details: { cached_tokens: read, cache_write_tokens: written },
      },
    },
    responses: { usage: { input_tokens: prompt, output_tokens: output, total_tokens: total } },
    messages: {
      usage: {
        input_tokens: input,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: written,
        output_tokens: output,
      },
    },
  };
}

function counted(row: string, name: string, kind: UpstreamKind, usage: object) {
  return bothWays(row, name, kind, { text: "Yes.", reason: "stop", usage });
}

const beside: IrregularCase[] = [
  {
    usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 125 },
    details: { completion_tokens_details: { reasoning_tokens: 100 } },
    kind: "openai-chat" as const,
  },
  {
    usage: { input_tokens: 20, output_tokens: 5, total_tokens: 125 },
    details: { output_tokens_details: { reasoning_tokens: 100 } },
    kind: "openai-responses" as const,
  },
].map(({ usage, details, kind }) => ({
  ...counted("reasoning that is counted beside the output", "as total_tokens says", kind, { ...usage, ...details }),
  expected: toldUsage({ input: 20, output: 105 }),
}));

const caches: IrregularCase[] = [
  { name: "Moonshot's", more: { total_tokens: 1005, cached_tokens: 900 }, written: 0 },
  { name: "DeepSeek's", more: { prompt_cache_hit_tokens: 900, prompt_cache_miss_tokens: 100 }, written: 0 },
  { name: "LiteLLM's", more: { cache_read_input_tokens: 900, cache_creation_input_tokens: 60 }, written: 60 },
].map(({ name, more, written }) => ({
  ...counted("caches counted under other names", name, "openai-chat", {
    prompt_tokens: 1000,
    completion_tokens: 5,
    ...more,
  }),
  expected: toldUsage({ input: 100 - written, read: 900, written, output: 5 }),
}));

/**
 * Sixty English words of one token, each with the space before it, and short enough for the estimate to read them all.
 */
export const ESTIMATED_TOKENS = 60;
export const ESTIMATED_TEXT = Array<string>(ESTIMATED_TOKENS / 4)
  .fill("the word of it")
  .join(" ");

const ZEROS: Record<UpstreamKind, object> = {
  "openai-chat": { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  "openai-responses": { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
  "anthropic-messages": { input_tokens: 0, output_tokens: 0 },
};
const uncounted: IrregularCase[] = KINDS.flatMap((kind) =>
  [undefined, ZEROS[kind]].map((usage) => ({
    ...bothWays("answers without usage, or with zeros", usage === undefined ? "none" : "zeros", kind, {
      text: ESTIMATED_TEXT,
      reason: kind === "anthropic-messages" ? "end_turn" : "stop",
      ...(usage && { usage }),
    }),
    isEstimated: true,
    expected: {
      chat: { usage: { completion_tokens: ESTIMATED_TOKENS } },
      responses: { usage: { output_tokens: ESTIMATED_TOKENS } },
      messages: { usage: { output_tokens: ESTIMATED_TOKENS } },
    },
  })),
);

export const IRREGULAR_CASES: readonly IrregularCase[] = [
  ...[...stops, ...blanks, overlapping],
  ...[...beside, ...caches, ...uncounted],
];
