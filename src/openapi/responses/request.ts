import { DETAIL_WORDS, EFFORT_WORDS, SUMMARY_WORDS, VERBOSITY_WORDS } from "../../formats/shared/openai-words.ts";
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
  withoutMembers,
  word,
} from "../schema.ts";

const MARK: Members = { prompt_cache_breakpoint: BREAKPOINT };
const CITATIONS: Members = { annotations: anything("Citations, as the answer had them") };

const PARTS = openForms(
  "ResponseContentPart",
  {
    ResponseInputTextPart: typed("input_text", { text: text("The text"), ...CITATIONS, ...MARK }, "A text", ["text"]),
    ResponseOutputTextPart: typed(
      "output_text",
      { text: text("The text"), ...CITATIONS, ...MARK },
      "A text of the assistant",
      ["text"],
    ),
    ResponseRefusalPart: typed(
      "refusal",
      { refusal: text("Words of the refusal"), ...CITATIONS, ...MARK },
      "A refusal",
      ["refusal"],
    ),
    ResponseImagePart: typed(
      "input_image",
      {
        image_url: text("Address of the image: `https:`, `http:` or `data:`"),
        file_id: text("Id of the image at its upstream, in place of the address"),
        detail: word(DETAIL_WORDS, "Resolution that the model sees"),
        ...CITATIONS,
        ...MARK,
      },
      "An image",
      [],
    ),
    ResponseFilePart: typed(
      "input_file",
      {
        file_data: text("The file as a `data:` URL or base64"),
        file_url: text("Address of the file, in place of its data"),
        file_id: text("Id of the file at its upstream, in place of its data"),
        filename: text("Name of the file"),
        ...CITATIONS,
        ...MARK,
      },
      "A file",
      [],
    ),
    ResponseAudioPart: typed(
      "input_audio",
      {
        input_audio: request(
          { data: text("The sound in base64"), format: text("Format of the sound: `wav`, `mp3`") },
          "Sound",
          ["data", "format"],
        ),
        ...CITATIONS,
        ...MARK,
      },
      "A sound",
      ["input_audio"],
    ),
  },
  "A part of a message",
);

const CONTENT = oneOf([text("A text"), list(ref("ResponseContentPart"), "Parts")], "Text, or parts");
const content = ref("ResponseContent");

const ID: Members = { id: text("Id of the item") };
const CALL: Members = { call_id: text("Id of the call"), name: text("Name of the tool") };
const RESULT: Members = { call_id: text("Id of the call"), output: content, ...ID };

const texts = (type: string, description: string): Schema =>
  list(typed(type, { text: text("The text") }, "A part"), description);

/** The type of a message may be left out. */
const MESSAGE = request(
  {
    type: constant("message"),
    role: word(["user", "assistant", "system", "developer"], "Speaker"),
    content,
    ...ID,
  },
  "A message",
  ["role", "content"],
);

const ITEM = openForms(
  "ResponseInputItem",
  {
    ResponseInputMessage: MESSAGE,
    ResponseFunctionCall: typed(
      "function_call",
      { ...CALL, arguments: text("Arguments as JSON"), ...ID },
      "A call of a function",
      ["call_id", "name", "arguments"],
    ),
    ResponseCustomCall: typed("custom_tool_call", { ...CALL, input: text("Input"), ...ID }, "A call of a tool", [
      "call_id",
      "name",
      "input",
    ]),
    ResponseFunctionOutput: typed("function_call_output", RESULT, "Result of a function", ["call_id", "output"]),
    ResponseCustomOutput: typed("custom_tool_call_output", RESULT, "Result of a tool", ["call_id", "output"]),
    ResponseReasoning: typed(
      "reasoning",
      {
        summary: texts("summary_text", "Summary"),
        content: texts("reasoning_text", "Reasoning"),
        encrypted_content: text("Reasoning that only its maker reads"),
        ...ID,
      },
      "Reasoning, as the answer had it",
      [],
    ),
  },
  'An item of a conversation. `{"id": ID}` alone refers to an item that is stored',
);

const TOOL = openForms(
  "ResponseTool",
  {
    ResponseFunctionTool: typed("function", FUNCTION, "A function", ["name"]),
    ResponseCustomTool: typed("custom", CUSTOM, "A tool that takes text", ["name"]),
  },
  "A tool, also one that the provider runs, such as `web_search`",
);

const NAME: Members = { name: text("Its name", { minLength: 1 }) };
const CHOSEN = openForms(
  "ResponseChosenTool",
  {
    ResponseChosenFunction: typed("function", NAME, "This function"),
    ResponseChosenCustom: typed("custom", NAME, "This tool"),
    ResponseAllowedTools: typed(
      "allowed_tools",
      {
        mode: word(["auto", "required"], "Whether they are called"),
        tools: list(anyObject("A tool by type and name"), "The tools"),
      },
      "Some of the tools",
    ),
  },
  "A choice",
);
const TOOL_CHOICE = oneOf(
  [word(["none", "auto", "required"], "Whether tools are called"), ref("ResponseChosenTool")],
  "Tools that the model calls",
);

const FORMAT = openForms(
  "ResponseFormat",
  {
    ResponseTextFormat: typed("text", {}, "Text"),
    ResponseJsonFormat: typed("json_object", {}, "A JSON object"),
    ResponseSchemaFormat: typed(
      "json_schema",
      {
        name: text("Name of the schema", { minLength: 1 }),
        description: text("Purpose of the answer, for the model"),
        schema: anyObject("JSON schema of the answer"),
        strict: flag("Whether the answer keeps to the schema"),
      },
      "JSON of a schema",
      ["name", "schema"],
    ),
  },
  "Form of the answer",
);

const MEMBERS: Members = {
  model: MODEL,
  input: oneOf(
    [text("A message of the user"), list(ref("ResponseInputItem"), "Items", { minItems: 1 })],
    "The conversation",
  ),
  instructions: text("Instructions"),
  stream: STREAM,
  background: flag("True to answer at once, and make the Response meanwhile"),
  store: flag("Whether the Response can be read and continued later; true if absent"),
  previous_response_id: text("Id of the Response that this one continues"),
  conversation: oneOf(
    [text("Its id", { minLength: 1 }), request({ id: text("Its id", { minLength: 1 }) }, "The conversation", ["id"])],
    "Conversation that this one continues, and is added to",
  ),
  max_output_tokens: integer("Most tokens of the answer", { minimum: 1 }),
  ...plainMembers("responses"),
  reasoning: request(
    {
      effort: word(listWords(EFFORT_WORDS), "Effort of reasoning"),
      summary: word(SUMMARY_WORDS, "Length of its summary"),
    },
    "Reasoning",
  ),
  text: request(
    { format: ref("ResponseFormat"), verbosity: word(VERBOSITY_WORDS, "Length of the answer") },
    "Form of the answer",
  ),
  tools: list(ref("ResponseTool"), "Tools that the model may call"),
  tool_choice: ref("ResponseToolChoice"),
  parallel_tool_calls: flag("Whether several tools may be called in one turn"),
  include: list(
    anything("`message.output_text.logprobs`, `web_search_call.action.sources`"),
    "Further members of the answer",
  ),
  metadata: METADATA,
  safety_identifier: text("The end user"),
  prompt_cache_key: text("Key for the upstream's cache"),
  ...carriedMembers("responses"),
};

/** Schemas of requests of the Responses format, by their names in the document. */
export const RESPONSES_REQUEST: Members = {
  ResponseContent: CONTENT,
  ResponseRequest: request(MEMBERS, "A request of the Responses format", ["model", "input"]),
  ResponseCompactRequest: request(
    withoutMembers(MEMBERS, ["stream", "background", "conversation", "store"]),
    "A request for a compaction",
    ["model"],
  ),
  ...ITEM,
  ...PARTS,
  ...TOOL,
  ...CHOSEN,
  ResponseToolChoice: TOOL_CHOICE,
  ...FORMAT,
};
