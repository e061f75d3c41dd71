import type { UpstreamKind } from "../topic.ts";

/** A call, as an upstream tells it. */
export interface ToldCall {
  readonly id: string;
  readonly name: string;
  /** The text of its arguments. */
  readonly text: string;
}

/** An answer, as an upstream of each kind tells it whole. */
export interface ToldAnswer {
  readonly text?: string;
  readonly calls?: readonly ToldCall[];
  /** The reason, in the upstream's own word. */
  readonly reason: string;
  /** The member `usage`; absent if nothing is told. */
  readonly usage?: object;
}

const MODEL: Record<UpstreamKind, string> = {
  "openai-chat": "real-chat",
  "openai-responses": "real-responses",
  "anthropic-messages": "real-messages",
};

/** Writes the body of a whole answer. */
export const WHOLE: Record<UpstreamKind, (answer: ToldAnswer) => string> = {
  "openai-chat": ({ text = null, calls, reason, usage }) =>
    JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model: MODEL["openai-chat"],
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: text,
            ...(calls && {
              tool_calls: calls.map(({ id, name, text: args }) => ({
                id,
                type: "function",
                function: { name, arguments: args },
              })),
            }),
          },
          finish_reason: reason,
        },
      ],
      usage,
    }),
  "openai-responses": (answer) => JSON.stringify(responseOf(answer, "completed")),
  "anthropic-messages": ({ text, calls = [], reason, usage }) =>
    JSON.stringify({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: MODEL["anthropic-messages"],
      content: [
        ...(text === undefined ? [] : [{ type: "text", text }]),
        ...calls.map(({ id, name, text: args }) => ({ type: "tool_use", id, name, input: inputOf(args) })),
      ],
      stop_reason: reason,
      stop_sequence: null,
      usage,
    }),
};

/** Writes the frames of a streamed answer. */
export const STREAMED: Record<UpstreamKind, (answer: ToldAnswer) => string> = {
  "openai-chat": ({ text, calls = [], reason, usage }) => {
    const chunk = (rest: object): string =>
      `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: MODEL["openai-chat"], ...rest })}\n\n`;
    const delta = (members: object, finish: string | null = null): string =>
      chunk({ choices: [{ index: 0, delta: members, finish_reason: finish }] });
    return [
      delta({ role: "assistant", content: text ?? "" }),
      ...calls.map(({ id, name, text: args }, index) =>
        delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: args } }] }),
      ),
      delta({}, reason),
      ...(usage === undefined ? [] : [chunk({ choices: [], usage })]),
      "data: [DONE]\n\n",
    ].join("");
  },
  "openai-responses": (answer) => {
    const begun = responseOf({ reason: "", text: undefined }, "in_progress");
    const ended = responseOf(answer, "completed");
    const items = ended.output.map((item, index) => ({ type: "response.output_item.done", output_index: index, item }));
    return named([
      { type: "response.created", response: begun },
      ...items,
      { type: "response.completed", response: ended },
    ]);
  },
  "anthropic-messages": ({ text, calls = [], reason, usage }) => {
    const blocks = [
      ...(text === undefined
        ? []
        : [
            [
              { type: "text", text: "" },
              { type: "text_delta", text },
            ],
          ]),
      ...calls.map(({ id, name, text: args }) => [
        { type: "tool_use", id, name, input: {} },
        { type: "input_json_delta", partial_json: args },
      ]),
    ];
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: MODEL["anthropic-messages"],
      content: [],
    };
    return named([
      { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null, usage } },
      ...blocks.flatMap(([block, delta], index) => [
        { type: "content_block_start", index, content_block: block },
        { type: "content_block_delta", index, delta },
        { type: "content_block_stop", index },
      ]),
      { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage },
      { type: "message_stop" },
    ]);
  },
};

/** Writes events that are named as their type. */
export function named(events: readonly { readonly type: string; readonly [member: string]: unknown }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

function responseOf({ text, calls = [], usage }: ToldAnswer, status: string) {
  const part = { type: "output_text", text, annotations: [] };
  const output = [
    ...(text === undefined
      ? []
      : [{ id: "msg_1", type: "message", role: "assistant", status: "completed", content: [part] }]),
    ...calls.map(({ id, name, text: args }) => ({
      id: `fc_${id}`,
      type: "function_call",
      call_id: id,
      name,
      arguments: args,
      status: "completed",
    })),
  ];
  return { id: "resp_1", object: "response", created_at: 1, model: MODEL["openai-responses"], status, output, usage };
}

/** Servers of other formats behind this one give a blank text for no input. */
function inputOf(text: string): unknown {
  return text.trim() === "" ? text : JSON.parse(text);
}
