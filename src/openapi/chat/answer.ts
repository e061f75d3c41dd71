import {
  answerId,
  anyObject,
  constant,
  integer,
  list,
  long,
  type Members,
  object,
  openForms,
  orNull,
  ref,
  type Schema,
  text,
  word,
} from "../../formats/shared/schema.ts";

const HEAD: Members = {
  id: answerId("Id of the answer, for feedback"),
  created: long("Seconds since 1970"),
  model: text("Name of the model, as the request gave it"),
};

const CALL = openForms(
  "ChatAnswerCall",
  {
    ChatAnswerFunctionCall: object(
      {
        id: text("Id of the call"),
        type: constant("function"),
        function: object(
          { name: text("Name of the function"), arguments: text("Arguments as JSON") },
          "Call of a function",
        ),
      },
      "A call of a function",
    ),
    ChatAnswerCustomCall: object(
      {
        id: text("Id of the call"),
        type: constant("custom"),
        custom: object({ name: text("Name of the tool"), input: text("Input") }, "Tool call"),
      },
      "A call of a tool with text input",
    ),
  },
  "A call",
);

const SPOKEN: Members = {
  role: constant("assistant"),
  content: orNull(text("Content")),
  refusal: orNull(text("Text of a refusal")),
  annotations: list(anyObject("A citation"), "Citations"),
  reasoning_content: text("Readable reasoning"),
  reasoning_details: list(anyObject("An entry"), "Reasoning with its seals: send it back unchanged"),
};

const MESSAGE = object(
  {
    ...SPOKEN,
    tool_calls: list(ref("ChatAnswerCall"), "Tool calls"),
    function_call: anyObject("A call, for requests with `functions`"),
  },
  "The message",
  ["annotations", "reasoning_content", "reasoning_details", "tool_calls", "function_call"],
);

const LOGPROBS = orNull(anyObject("Probabilities of the tokens"));
const FINISH = word(["stop", "length", "tool_calls", "function_call", "content_filter"], "Reason for the end");

const USAGE = object(
  {
    prompt_tokens: integer("Prompt tokens, with cached ones"),
    completion_tokens: integer("Output tokens, with reasoning"),
    total_tokens: integer("Sum of both"),
    prompt_tokens_details: object(
      { cached_tokens: integer("Tokens read from a cache"), cache_write_tokens: integer("Tokens written to a cache") },
      "Of the prompt",
    ),
    completion_tokens_details: object({ reasoning_tokens: integer("Reasoning tokens") }, "Of the answer"),
  },
  "Tokens",
  ["completion_tokens_details"],
);

const COMPLETION = object(
  {
    ...HEAD,
    object: constant("chat.completion"),
    system_fingerprint: orNull(text("Fingerprint of the upstream's configuration")),
    choices: list(
      object({ index: integer("Position"), message: MESSAGE, logprobs: LOGPROBS, finish_reason: FINISH }, "An answer"),
      "The answers",
    ),
    usage: ref("ChatUsage"),
  },
  "An answer of the Chat format",
);

const DELTA = object(
  {
    ...SPOKEN,
    tool_calls: list(anyObject("A piece of a call"), "Calls"),
    function_call: anyObject("A piece of a call"),
  },
  "Changes",
  [...Object.keys(SPOKEN), "tool_calls", "function_call"],
);

const CHUNK = object(
  {
    ...HEAD,
    object: constant("chat.completion.chunk"),
    choices: list(
      object(
        { index: integer("Position"), delta: DELTA, logprobs: LOGPROBS, finish_reason: orNull(FINISH) },
        "A piece",
      ),
      "The pieces; none in the chunk that reports usage",
    ),
    usage: orNull(ref("ChatUsage")),
  },
  "An event of a stream, whose last one is `[DONE]`",
  ["usage"],
);

/** Schemas of answers of the Chat format, by their names in the document. */
export const CHAT_ANSWER: Readonly<Record<string, Schema>> = {
  ChatCompletion: COMPLETION,
  ChatCompletionChunk: CHUNK,
  ChatUsage: USAGE,
  ...CALL,
};
