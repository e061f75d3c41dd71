import {
  answerId,
  anyObject,
  anything,
  choice,
  constant,
  flag,
  integer,
  list,
  long,
  type Members,
  number,
  object,
  oneOf,
  openForms,
  orNull,
  record,
  ref,
  type Schema,
  text,
} from "../../formats/shared/schema.ts";

const ITEM_STATUS = choice(["in_progress", "completed", "incomplete"], "State of the item");

const PART = openForms(
  "ResponseAnswerPart",
  {
    ResponseAnswerText: object(
      {
        type: constant("output_text"),
        text: text("The text"),
        annotations: list(anyObject("A citation"), "Citations"),
        logprobs: list(anyObject("A token"), "Probabilities of the tokens"),
      },
      "Text of the assistant",
    ),
    ResponseAnswerInputText: object({ type: constant("input_text"), text: text("The text") }, "Text of the request"),
    ResponseAnswerRefusal: object({ type: constant("refusal"), refusal: text("Text of the refusal") }, "A refusal"),
  },
  "A part of a message",
);

const id = text("Id of the item");
const call: Members = { id, call_id: text("Id of the call"), name: text("Name of the tool"), status: ITEM_STATUS };
const texts = (type: string): Schema =>
  list(object({ type: constant(type), text: text("The text") }, "A part"), "Its parts");

const ITEM = openForms(
  "ResponseItem",
  {
    ResponseMessageItem: object(
      {
        id,
        type: constant("message"),
        role: choice(["assistant", "user", "system", "developer"], "Role"),
        status: ITEM_STATUS,
        content: list(ref("ResponseAnswerPart"), "Content"),
      },
      "A message",
    ),
    ResponseFunctionCallItem: object(
      { ...call, type: constant("function_call"), arguments: text("Arguments as JSON") },
      "A call of a function",
    ),
    ResponseCustomCallItem: object(
      { ...call, type: constant("custom_tool_call"), input: text("Input") },
      "A call of a tool with text input",
    ),
    ResponseReasoningItem: object(
      {
        id,
        type: constant("reasoning"),
        summary: texts("summary_text"),
        content: texts("reasoning_text"),
        encrypted_content: text("Its seal: send it back unchanged"),
      },
      "Reasoning",
      ["content", "encrypted_content"],
    ),
    ResponseWebSearchItem: object(
      {
        id,
        type: constant("web_search_call"),
        status: text("State of the search"),
        action: anyObject("Query and pages"),
      },
      "A search made by the provider",
      ["action"],
    ),
    ResponseCompactionItem: object(
      {
        id,
        type: constant("compaction"),
        encrypted_content: text("Represents a conversation: send it back unchanged"),
      },
      "A compaction",
    ),
  },
  "An item",
);

const USAGE = object(
  {
    input_tokens: integer("Prompt tokens, with cached ones"),
    input_tokens_details: object(
      { cached_tokens: integer("Tokens read from a cache"), cache_write_tokens: integer("Tokens written to a cache") },
      "Of the prompt",
    ),
    output_tokens: integer("Output tokens, with reasoning"),
    output_tokens_details: object({ reasoning_tokens: integer("Reasoning tokens") }, "Of the answer"),
    total_tokens: integer("Sum of both"),
  },
  "Tokens",
);

const seconds = long("Seconds since 1970");

/** Members that repeat what the request said, or the format's default. */
const REPEATED: Members = {
  background: flag("Whether it's generated in the background"),
  instructions: anything("Instructions"),
  max_output_tokens: orNull(integer("Maximum output tokens")),
  max_tool_calls: orNull(integer("Maximum calls of the provider's tools")),
  parallel_tool_calls: flag("Whether several tools may be called in one turn"),
  previous_response_id: orNull(text("Id of the Response that it continues")),
  prompt_cache_key: orNull(text("Key for the upstream's cache")),
  reasoning: anyObject("Effort and summary of reasoning"),
  safety_identifier: orNull(text("The end user")),
  service_tier: text("Tier of the upstream"),
  store: flag("Whether it can be read and continued later"),
  temperature: number("Randomness"),
  text: anyObject("Format and length of the answer"),
  tool_choice: anything("Tools that the model calls"),
  tools: list(anyObject("A tool"), "Tools"),
  top_logprobs: integer("Number of most likely tokens to return"),
  top_p: number("Share of the most likely tokens to sample from"),
  truncation: text("Truncation of a conversation that is too long"),
  presence_penalty: number("Presence penalty"),
  frequency_penalty: number("Frequency penalty"),
  metadata: record({ type: "string" }, "Texts by name"),
  conversation: object({ id: text("Its id") }, "Conversation that it is added to"),
  user: text("The end user"),
};

const RESPONSE = object(
  {
    id: answerId("Id of the answer, for feedback"),
    object: constant("response"),
    created_at: seconds,
    completed_at: orNull(seconds),
    status: choice(["queued", "in_progress", "completed", "incomplete", "failed", "cancelled"], "State"),
    error: orNull(anyObject("Why it failed")),
    incomplete_details: orNull(
      object({ reason: text("`max_output_tokens`, `content_filter`") }, "Why it is incomplete"),
    ),
    model: text("Name of the model, as the request gave it"),
    output: list(ref("ResponseItem"), "The items of the answer"),
    usage: orNull(ref("ResponseUsage")),
    ...REPEATED,
  },
  "A Response",
  ["conversation", "user"],
);

const page = (item: Schema, description: string): Schema =>
  object(
    {
      object: constant("list"),
      data: list(item, "The items"),
      first_id: orNull(text("Id of the first")),
      last_id: orNull(text("Id of the last")),
      has_more: flag("Whether there are more"),
    },
    description,
  );

/** Events that have a whole Response. */
const WHOLE = ["created", "queued", "in_progress", "completed", "incomplete", "failed"] as const;

const sequence: Members = { sequence_number: integer("Number of the event, from 0") };

const STATES = WHOLE.map((state) => `response.${state}`);

const EVENTS: Members = {
  ResponseStateEvent: object(
    {
      type: choice(STATES, "State of the Response"),
      ...sequence,
      id: answerId("Id of the answer, in the first event"),
      response: ref("ResponseObject"),
    },
    "The Response begins or ends",
    ["id"],
  ),
  ResponsePieceEvent: {
    ...object(
      {
        type: text("`response.output_item.added`, `response.output_text.delta` and so on, or `error`", {
          not: { enum: STATES },
        }),
        ...sequence,
      },
      "A piece: an item or a part is added or done, or a text grows",
    ),
    additionalProperties: true,
  },
};

const EVENT = oneOf(Object.keys(EVENTS).map(ref), "An event of a stream; the SSE event has the name of its type");

const CONVERSATION = object(
  {
    id: text("Its id"),
    object: constant("conversation"),
    created_at: seconds,
    metadata: record({ type: "string" }, "Texts by name"),
  },
  "A conversation",
);

const deleted = (name: string): Schema =>
  object({ id: text("Its id"), object: constant(name), deleted: flag("Always true") }, "It was deleted");

/** Schemas of answers of the Responses format, by their names in the document. */
export const RESPONSES_ANSWER: Readonly<Record<string, Schema>> = {
  ResponseObject: RESPONSE,
  ...ITEM,
  ...PART,
  ResponseItemPage: page(ref("ResponseItem"), "A page of items"),
  ResponseUsage: USAGE,
  ResponseStreamEvent: EVENT,
  ...EVENTS,
  ResponseDeleted: deleted("response"),
  ResponseTokenCount: object(
    { object: constant("response.input_tokens"), input_tokens: integer("Prompt tokens") },
    "Prompt tokens",
  ),
  ResponseCompaction: object(
    {
      id: answerId("Id of the inference, for feedback"),
      object: constant("response.compaction"),
      created_at: seconds,
      output: list(ref("ResponseItem"), "Stands for the conversation: send it as the beginning of `input`"),
      usage: orNull(ref("ResponseUsage")),
    },
    "A compaction",
  ),
  Conversation: CONVERSATION,
  ConversationDeleted: deleted("conversation.deleted"),
};
