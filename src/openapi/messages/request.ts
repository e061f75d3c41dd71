import { EFFORT_WORDS, THINKING_MODE_WORDS } from "../../formats/messages/reasoning-words.ts";
import { TOOL_NAME } from "../../formats/messages/tool-names.ts";
import { listWords } from "../../formats/shared/words.ts";
import { CACHE_CONTROL, carriedMembers, MODEL, plainMembers, STREAM, typed } from "../request-members.ts";
import {
  anyObject,
  constant,
  flag,
  integer,
  list,
  type Members,
  oneOf,
  openForms,
  ref,
  request,
  text,
  word,
} from "../schema.ts";

const MARK: Members = { cache_control: CACHE_CONTROL };

const CONTENT = oneOf([text("A text"), list(ref("MessageContentBlock"), "Blocks")], "Text, or blocks");
const content = ref("MessageContent");

const BASE64 = typed(
  "base64",
  { media_type: text("Type of the bytes", { minLength: 1 }), data: text("Bytes in base64") },
  "Bytes",
);
const URL_SOURCE = typed("url", { url: text("Address: `https:` or `http:`") }, "An address");
const FILE = typed("file", { file_id: text("Id of the file at its upstream") }, "A file of the upstream");

const SOURCES: Members = { MessageBytesSource: BASE64, MessageUrlSource: URL_SOURCE, MessageFileSource: FILE };
const IMAGE_SOURCE = openForms("MessageImageSource", SOURCES, "Source of the image");
const DOCUMENT_SOURCE = openForms(
  "MessageDocumentSource",
  {
    ...SOURCES,
    MessageTextSource: typed(
      "text",
      { media_type: word(["text/plain"], "Type of the text"), data: text("The text") },
      "A text",
    ),
    MessageContentSource: typed("content", { content }, "Blocks"),
  },
  "Source of the document",
);

const BLOCK = openForms(
  "MessageContentBlock",
  {
    MessageTextBlock: typed("text", { text: text("The text", { minLength: 1 }), ...MARK }, "A text", ["text"]),
    MessageImageBlock: typed("image", { source: ref("MessageImageSource"), ...MARK }, "An image", ["source"]),
    MessageDocumentBlock: typed(
      "document",
      { source: ref("MessageDocumentSource"), title: text("Title"), context: text("Context"), ...MARK },
      "A document",
      ["source"],
    ),
    MessageThinkingBlock: typed(
      "thinking",
      { thinking: text("Reasoning"), signature: text("Seal of its maker") },
      "Reasoning, as the answer had it",
    ),
    MessageRedactedThinkingBlock: typed(
      "redacted_thinking",
      { data: text("Sealed reasoning") },
      "Reasoning that only its maker reads",
    ),
    MessageToolUseBlock: typed(
      "tool_use",
      {
        id: text("Id of the call", { minLength: 1 }),
        name: text("Name of the tool", { minLength: 1 }),
        input: anyObject("Arguments"),
        ...MARK,
      },
      "A call",
      ["id", "name", "input"],
    ),
    MessageToolResultBlock: typed(
      "tool_result",
      {
        tool_use_id: text("Id of the call"),
        content,
        is_error: flag("Whether the call failed"),
        ...MARK,
      },
      "Result of a call",
      ["tool_use_id"],
    ),
  },
  "A block of a message",
);

const MESSAGE = request({ role: word(["user", "assistant", "system"], "Speaker"), content: content }, "A message", [
  "role",
  "content",
]);

/** The type may be left out. */
const TOOL = openForms(
  "MessageTool",
  {
    MessageCustomTool: request(
      {
        type: constant("custom"),
        name: text("Name of the tool", { pattern: TOOL_NAME.source }),
        description: text("Purpose of the tool, for the model"),
        input_schema: {
          ...request({ type: constant("object") }, "JSON schema of the arguments", ["type"]),
          additionalProperties: true,
        },
        strict: flag("Whether arguments keep to the schema"),
        ...MARK,
      },
      "A tool",
      ["name", "input_schema"],
    ),
  },
  "A tool, also one that the provider runs, such as `web_search_20250305`",
);

const SERIAL: Members = { disable_parallel_tool_use: flag("Whether one tool is called in a turn") };
const TOOL_CHOICE = openForms(
  "MessageToolChoice",
  {
    MessageAutoChoice: typed("auto", SERIAL, "The model decides", []),
    MessageAnyChoice: typed("any", SERIAL, "Some tool", []),
    MessageNamedChoice: typed("tool", { name: text("Its name", { minLength: 1 }), ...SERIAL }, "This tool", ["name"]),
    MessageNoChoice: typed("none", {}, "No tool"),
  },
  "Tools that the model calls",
);

const FORMAT = openForms(
  "MessageFormat",
  { MessageSchemaFormat: typed("json_schema", { schema: anyObject("JSON schema of the answer") }, "JSON of a schema") },
  "Form of the answer",
);

const DISPLAY: Members = { display: word(["summarized", "omitted"], "Reasoning that the answer shows") };
const THINKING = openForms(
  "MessageThinking",
  Object.fromEntries(
    listWords(THINKING_MODE_WORDS).map((mode) => [
      `MessageThinking${mode.charAt(0).toUpperCase()}${mode.slice(1)}`,
      mode === "enabled"
        ? typed(
            mode,
            { budget_tokens: integer("Most tokens of reasoning", { minimum: 1024 }), ...DISPLAY },
            "With a budget",
            ["budget_tokens"],
          )
        : typed(mode, DISPLAY, `Of the kind ${mode}`, []),
    ]),
  ),
  "Reasoning",
);

const THREAD = oneOf(
  [
    typed("create", {}, "Stores the conversation"),
    typed(
      "continue",
      { previous_message_id: text("Id of the answer that is continued") },
      "Goes on with a stored conversation",
    ),
  ],
  "A conversation that is held here",
);

const MEMBERS: Members = {
  model: MODEL,
  max_tokens: integer("Most tokens of the answer; 0 fills the upstream's cache, without a stream", { minimum: 0 }),
  messages: list(ref("Message"), "The conversation, which begins with the user"),
  system: content,
  stream: STREAM,
  ...plainMembers("messages"),
  stop_sequences: list(text("A stop sequence", { minLength: 1 }), "Texts at which the answer ends"),
  thinking: ref("MessageThinking"),
  output_config: request(
    { effort: word(listWords(EFFORT_WORDS), "Effort"), format: ref("MessageFormat") },
    "Form of the answer",
  ),
  tools: list(ref("MessageTool"), "Tools that the model may call"),
  tool_choice: ref("MessageToolChoice"),
  metadata: request(
    { user_id: text("The end user") },
    "Texts by name: `session_id` names the session, the others are tags",
  ),
  cache_control: CACHE_CONTROL,
  thread: ref("MessageThread"),
  ...carriedMembers("messages"),
};

/** Schemas of requests of the Messages format, by their names in the document. */
export const MESSAGES_REQUEST: Members = {
  MessageContent: CONTENT,
  MessageRequest: request(MEMBERS, "A request of the Messages format", ["model", "max_tokens", "messages"]),
  MessageCountRequest: request(MEMBERS, "A request whose prompt is counted", ["model", "messages"]),
  Message: MESSAGE,
  ...BLOCK,
  ...TOOL,
  ...TOOL_CHOICE,
  ...THINKING,
  ...FORMAT,
  MessageThread: THREAD,
  ...DOCUMENT_SOURCE,
  ...IMAGE_SOURCE,
};
