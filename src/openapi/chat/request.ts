import { DETAIL_WORDS, EFFORT_WORDS, VERBOSITY_WORDS } from "../../formats/shared/openai-words.ts";
import { listWords } from "../../formats/shared/words.ts";
import {
  BREAKPOINT,
  CUSTOM,
  carriedMembers,
  FUNCTION,
  METADATA,
  MODEL,
  plainMembers,
  STREAM,
  typed,
} from "../request-members.ts";
import {
  anyObject,
  anything,
  choice,
  constant,
  flag,
  integer,
  list,
  type Members,
  oneOf,
  openForms,
  ref,
  request,
  type Schema,
  text,
  word,
} from "../schema.ts";

const CONTROL: Members = {
  cache_control: anything("Mark for the upstream's cache, as OpenRouter and LiteLLM take it"),
};

const MARKS: Members = { prompt_cache_breakpoint: BREAKPOINT, ...CONTROL };

function part(type: string, value: Schema, description: string): Schema {
  return typed(type, { [type]: value, ...MARKS }, description, [type]);
}

const image = request(
  {
    url: text("Address of the image: `https:`, `http:` or `data:`"),
    detail: word(DETAIL_WORDS, "Resolution that the model sees"),
  },
  "Source of the image",
  ["url"],
);
const audio = request(
  { data: text("The sound in base64"), format: text("Format of the sound: `wav`, `mp3`") },
  "Sound",
  ["data", "format"],
);
const file = request(
  {
    file_data: text("The file as a `data:` URL or base64"),
    file_id: text("Id of the file at its upstream"),
    filename: text("Name"),
  },
  "File",
);

const PARTS = openForms(
  "ChatContentPart",
  {
    ChatTextPart: part("text", text("The text"), "A text"),
    ChatRefusalPart: part("refusal", text("Words of the refusal"), "A refusal, of the assistant"),
    ChatImagePart: part("image_url", image, "An image"),
    ChatAudioPart: part("input_audio", audio, "A sound, of the user"),
    ChatFilePart: part("file", file, "A file"),
  },
  "A part of a message",
);

const CONTENT = oneOf([text("A text"), list(ref("ChatContentPart"), "Parts")], "Text, or parts");
const content = ref("ChatContent");

const CALLED_FUNCTION = request(
  { name: text("Name of the function", { minLength: 1 }), arguments: text("Arguments as JSON") },
  "Call of a function",
  ["name", "arguments"],
);
const CALLED_CUSTOM = request(
  { name: text("Name of the tool", { minLength: 1 }), input: text("Input") },
  "Call of a tool",
  ["name", "input"],
);
const ID = text("Id of the call", { minLength: 1 });

/** The type of a call may be left out. */
const CALLS = openForms(
  "ChatCall",
  {
    ChatFunctionCall: request(
      { id: ID, type: constant("function"), function: CALLED_FUNCTION, ...CONTROL },
      "A call of a function",
      ["id", "function"],
    ),
    ChatCustomCall: typed("custom", { id: ID, custom: CALLED_CUSTOM, ...CONTROL }, "A call of a tool that takes text", [
      "id",
      "custom",
    ]),
  },
  "A call",
);

const DETAILS = openForms(
  "ChatReasoningDetail",
  {
    ChatReasoningSummary: typed(
      "reasoning.summary",
      { summary: text("A part of the summary"), id: text("Id") },
      "Summary",
      ["summary"],
    ),
    ChatReasoningText: typed(
      "reasoning.text",
      { text: text("Text"), signature: text("Seal of its maker"), id: text("Id") },
      "Reasoning",
      [],
    ),
    ChatReasoningSealed: typed(
      "reasoning.encrypted",
      { data: text("Sealed reasoning") },
      "Reasoning that only its maker reads",
    ),
  },
  "An entry of reasoning",
);

function spoken(role: string, members: Members, required: readonly string[]): Schema {
  return request({ role: constant(role), ...members }, `A message of the role ${role}`, ["role", ...required]);
}

const SAID: Members = {
  content,
  name: text("Name of the speaker"),
  ...CONTROL,
};

const MESSAGE = openForms(
  "ChatMessage",
  {
    ChatSystemMessage: spoken("system", SAID, ["content"]),
    ChatDeveloperMessage: spoken("developer", SAID, ["content"]),
    ChatUserMessage: spoken("user", SAID, ["content"]),
    ChatAssistantMessage: spoken(
      "assistant",
      {
        ...SAID,
        refusal: text("Words of a refusal"),
        tool_calls: list(ref("ChatCall"), "Calls of tools"),
        function_call: { ...CALLED_FUNCTION, deprecated: true },
        reasoning_content: text("Reasoning, as text"),
        reasoning: text("Other name of `reasoning_content`"),
        reasoning_details: list(ref("ChatReasoningDetail"), "Reasoning with its seals, as the answer had it"),
        annotations: anything("Citations, as the answer had them"),
        audio: anything("Sound, as the answer had it"),
      },
      [],
    ),
    ChatToolMessage: spoken("tool", { content, tool_call_id: ID, ...CONTROL }, ["content", "tool_call_id"]),
    ChatFunctionMessage: spoken("function", { name: text("Name of the function", { minLength: 1 }), content }, [
      "name",
    ]),
  },
  "A message",
);

const TOOL = openForms(
  "ChatTool",
  {
    ChatFunctionTool: typed(
      "function",
      { function: request({ ...FUNCTION, ...CONTROL }, "The function", ["name"]), ...CONTROL },
      "A function",
      ["function"],
    ),
    ChatCustomTool: typed(
      "custom",
      { custom: request(CUSTOM, "The tool", ["name"]), ...CONTROL },
      "A tool that takes text",
      ["custom"],
    ),
  },
  "A tool",
);

const NAMED = request({ name: text("Its name", { minLength: 1 }) }, "The tool", ["name"]);
const CHOSEN = openForms(
  "ChatChosenTool",
  {
    ChatChosenFunction: typed("function", { function: NAMED }, "This function"),
    ChatChosenCustom: typed("custom", { custom: NAMED }, "This tool"),
    ChatAllowedTools: typed(
      "allowed_tools",
      {
        allowed_tools: request(
          {
            mode: word(["auto", "required"], "Whether they are called"),
            tools: list(anyObject("A tool by type and name"), "The tools", { minItems: 1 }),
          },
          "Tools that may be called",
          ["mode", "tools"],
        ),
      },
      "Some of the tools",
    ),
  },
  "A choice",
);
const TOOL_CHOICE = oneOf(
  [word(["none", "auto", "required"], "Whether tools are called"), ref("ChatChosenTool")],
  "Tools that the model calls",
);

const FORMAT = openForms(
  "ChatFormat",
  {
    ChatTextFormat: typed("text", {}, "Text"),
    ChatJsonFormat: typed("json_object", {}, "A JSON object"),
    ChatSchemaFormat: typed(
      "json_schema",
      {
        json_schema: request(
          {
            name: text("Name of the schema"),
            description: text("Purpose of the answer, for the model"),
            schema: anyObject("JSON schema of the answer"),
            strict: flag("Whether the answer keeps to the schema"),
          },
          "The schema",
          ["name", "schema"],
        ),
      },
      "JSON of a schema",
    ),
  },
  "Form of the answer",
);

const stop = (more: Schema = {}): Schema => text("A stop sequence", { minLength: 1, ...more });

const MEMBERS: Members = {
  model: MODEL,
  messages: list(ref("ChatMessage"), "The conversation", { minItems: 1 }),
  stream: STREAM,
  stream_options: request({ include_usage: flag("Whether a last chunk tells the tokens") }, "Of a stream alone"),
  max_completion_tokens: integer("Most tokens of the answer", { minimum: 1 }),
  ...plainMembers("chat"),
  n: integer("Answers, each of which is a call; one record has them all", { minimum: 1, maximum: 8 }),
  stop: oneOf([stop(), list(stop(), "Up to four", { maxItems: 4 })], "Texts at which the answer ends"),
  reasoning_effort: word(listWords(EFFORT_WORDS), "Effort of reasoning"),
  verbosity: word(VERBOSITY_WORDS, "Length of the answer"),
  response_format: ref("ChatFormat"),
  tools: list(ref("ChatTool"), "Tools that the model may call"),
  tool_choice: ref("ChatToolChoice"),
  parallel_tool_calls: flag("Whether several tools may be called in one turn"),
  functions: list(request(FUNCTION, "A function", ["name"]), "Older form of `tools`", { deprecated: true }),
  function_call: {
    ...oneOf([choice(["none", "auto"], "Whether functions are called"), NAMED], "Older form of `tool_choice`"),
    deprecated: true,
  },
  modalities: list(constant("text"), "Forms of the answer: text alone"),
  metadata: METADATA,
  safety_identifier: text("The end user"),
  prompt_cache_key: text("Key for the upstream's cache"),
  cache_control: anything("Mark for the upstream's cache, on the whole prompt"),
  ...carriedMembers("chat"),
};

/** Schemas of requests of the Chat format, by their names in the document. */
export const CHAT_REQUEST: Members = {
  ChatContent: CONTENT,
  ChatCompletionRequest: request(MEMBERS, "A request of the Chat format", ["model", "messages"]),
  ...MESSAGE,
  ...PARTS,
  ...CALLS,
  ...DETAILS,
  ...TOOL,
  ...CHOSEN,
  ChatToolChoice: TOOL_CHOICE,
  ...FORMAT,
};
