import {
  answerId,
  anyObject,
  constant,
  integer,
  list,
  type Members,
  object,
  openForms,
  orNull,
  ref,
  type Schema,
  text,
  word,
} from "../../formats/shared/schema.ts";
import { ERRORS } from "../errors.ts";

const BLOCK = openForms(
  "MessageAnswerBlock",
  {
    MessageAnswerText: object(
      { type: constant("text"), text: text("The text"), citations: list(anyObject("A citation"), "Citations") },
      "Text",
      ["citations"],
    ),
    MessageAnswerThinking: object(
      { type: constant("thinking"), thinking: text("Reasoning"), signature: text("Its seal: send it back unchanged") },
      "Reasoning",
    ),
    MessageAnswerRedactedThinking: object(
      { type: constant("redacted_thinking"), data: text("Sealed reasoning") },
      "Reasoning that only its author can read",
    ),
    MessageAnswerToolUse: object(
      {
        type: constant("tool_use"),
        id: text("Id of the call"),
        name: text("Name of the tool"),
        input: anyObject("Arguments"),
        caller: anyObject("Caller"),
      },
      "A call",
    ),
  },
  "A block of an answer",
);

const PROMPT: Members = {
  input_tokens: integer("Prompt tokens, without cached ones"),
  cache_creation_input_tokens: integer("Tokens written to a cache"),
  cache_read_input_tokens: integer("Tokens read from a cache"),
};

const COUNTED: Members = {
  output_tokens: integer("Output tokens, with reasoning"),
  output_tokens_details: orNull(object({ thinking_tokens: integer("Reasoning tokens") }, "Of the answer")),
  server_tool_use: orNull(anyObject("Tools that the provider ran")),
};

const USAGE = object(
  {
    ...PROMPT,
    cache_creation: orNull(
      object(
        {
          ephemeral_5m_input_tokens: integer("Cached for five minutes"),
          ephemeral_1h_input_tokens: integer("Cached for an hour"),
        },
        "Written to a cache, by lifetime",
      ),
    ),
    ...COUNTED,
    service_tier: orNull(text("Tier of the upstream")),
    speed: orNull(text("Speed of the upstream")),
    inference_geo: orNull(text("Region of the upstream")),
  },
  "Tokens",
);

const STOP_REASON = word(
  ["end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal", "model_context_window_exceeded"],
  "Reason for the end",
);

const END: Members = {
  stop_reason: orNull(STOP_REASON),
  stop_sequence: orNull(text("Stop sequence that ended it")),
  stop_details: orNull(anyObject("More about the end")),
  container: orNull(anyObject("Container of the upstream")),
};

const ANSWER = object(
  {
    id: answerId("Id of the answer, for feedback"),
    type: constant("message"),
    role: constant("assistant"),
    model: text("Name of the model, as the request gave it"),
    content: list(ref("MessageAnswerBlock"), "Content"),
    ...END,
    diagnostics: orNull(anyObject("Diagnostics of the upstream")),
    usage: USAGE,
  },
  "An answer of the Messages format",
);

const index = integer("Position of the block");
const EVENT = openForms(
  "MessageStreamEvent",
  {
    MessagesError: ERRORS.MessagesError,
    MessageStartEvent: object(
      { type: constant("message_start"), id: answerId("Id of the answer"), message: ref("MessageAnswer") },
      "Begins",
    ),
    MessageBlockStartEvent: object(
      { type: constant("content_block_start"), index, content_block: ref("MessageAnswerBlock") },
      "Begins a block",
    ),
    MessageBlockDeltaEvent: object(
      {
        type: constant("content_block_delta"),
        index,
        delta: anyObject(
          "By its `type`: `text_delta`, `input_json_delta`, `citations_delta`, `thinking_delta`, `signature_delta`",
        ),
      },
      "Adds to a block",
    ),
    MessageBlockStopEvent: object({ type: constant("content_block_stop"), index }, "Ends a block"),
    MessageDeltaEvent: object(
      {
        type: constant("message_delta"),
        delta: object(END, "The end"),
        usage: object(
          { ...Object.fromEntries(Object.entries(PROMPT).map(([name, schema]) => [name, orNull(schema)])), ...COUNTED },
          "Tokens of the whole answer",
        ),
      },
      "Reports the end",
    ),
    MessageStopEvent: object({ type: constant("message_stop") }, "Ends"),
    MessagePingEvent: object({ type: constant("ping") }, "Keeps the connection alive"),
  },
  "An event of a stream; the SSE event has the name of its type",
);

/** Schemas of answers of the Messages format, by their names in the document. */
export const MESSAGES_ANSWER: Readonly<Record<string, Schema>> = {
  MessageAnswer: ANSWER,
  ...BLOCK,
  ...EVENT,
  MessageTokenCount: object({ input_tokens: integer("Prompt tokens") }, "Prompt tokens"),
};
