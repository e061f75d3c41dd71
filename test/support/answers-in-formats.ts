import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import type { Finished, GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import { createEventDecoder as createChatDecoder } from "../../src/formats/chat/answer/decode-events.ts";
import { createEventDecoder as createMessagesDecoder } from "../../src/formats/messages/answer/decode-events.ts";
import { createEventDecoder as createResponsesDecoder } from "../../src/formats/responses/answer/decode-events.ts";
import type { AnswerContext, EventDecoder } from "../../src/formats/shared/protocol.ts";
import type { Format } from "./sdk-calls.ts";

/** Members that an answer has beside those of its format. */
export interface FurtherMembers {
  /** Of the answer itself. */
  readonly answer?: object;
  readonly usage?: object;
}

/** A short answer of a format: whole, and as the data of a stream's events. */
interface ShortAnswer {
  readonly whole: object;
  readonly stream: readonly object[];
  create(context: AnswerContext): EventDecoder;
}

const SHORT: Readonly<Record<Format, (further: FurtherMembers) => ShortAnswer>> = {
  chat: ({ answer, usage: members }) => {
    const head = { id: "a", model: "m", ...answer };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, ...members };
    return {
      whole: { ...head, choices: [{ index: 0, message: { content: "Hi" }, finish_reason: "stop" }], usage },
      stream: [
        { ...head, choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: null }] },
        { ...head, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
        { ...head, choices: [], usage },
      ],
      create: (context) => createChatDecoder(Dialect.CHAT, context),
    };
  },
  responses: ({ answer, usage: members }) => {
    const item = { type: "message", id: "msg_1", content: [{ type: "output_text", text: "Hi" }] };
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15, ...members };
    const whole = { id: "resp_1", model: "m", status: "completed", ...answer, output: [item], usage };
    return {
      whole,
      stream: [
        { type: "response.created", response: { ...whole, status: "in_progress", output: [], usage: null } },
        { type: "response.output_item.done", output_index: 0, item },
        { type: "response.completed", response: whole },
      ],
      create: (context) => createResponsesDecoder(Dialect.RESPONSES, context),
    };
  },
  messages: ({ answer, usage: members }) => {
    const usage = { input_tokens: 10, output_tokens: 5, ...members };
    const head = { id: "msg_1", type: "message", role: "assistant", model: "m", ...answer };
    return {
      whole: { ...head, content: [{ type: "text", text: "Hi" }], stop_reason: "end_turn", usage },
      stream: [
        { type: "message_start", message: { ...head, content: [], usage: { input_tokens: 10, output_tokens: 1 } } },
        { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
        { type: "message_stop" },
      ],
      create: (context) => createMessagesDecoder(Dialect.MESSAGES, context),
    };
  },
};

/** How an answer is read. */
interface Reading {
  readonly context?: AnswerContext;
  wrap?(decoder: EventDecoder): EventDecoder;
}

/** Reads a short answer of a format that says "Hi", whole and streamed; returns the ends of both. */
export function readShortAnswer(
  format: Format,
  further: FurtherMembers,
  { context = {}, wrap = (decoder) => decoder }: Reading = {},
): { readonly whole: Finished | undefined; readonly streamed: Finished | undefined } {
  const { whole, stream, create } = SHORT[format](further);
  const decoder = wrap(create(context));
  const events = stream.flatMap((data) => decoder.decode({ event: undefined, data: JSON.stringify(data) }));
  return {
    whole: endOf(wrap(create(context)).decodeWhole(JSON.stringify(whole))),
    streamed: endOf([...events, ...decoder.close()]),
  };
}

function endOf(events: readonly GenerateEvent[]): Finished | undefined {
  const last = events.at(-1)?.event;
  return last?.case === "finished" ? last.value : undefined;
}
