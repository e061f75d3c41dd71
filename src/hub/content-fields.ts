import type {
  Annotation,
  Annotations,
  AudioBlock,
  CacheMark,
  ContentBlock,
  CustomTool,
  DocumentBlock,
  DocumentContent,
  FunctionTool,
  ImageBlock,
  InlineData,
  JsonSchema,
  Logprobs,
  Message,
  OutputFormat,
  Reasoning,
  RedactedThinkingBlock,
  RefusalBlock,
  TextBlock,
  ThinkingBlock,
  TokenLogprob,
  Tool,
  ToolChoice,
  ToolResultBlock,
  ToolUseBlock,
  UrlCitation,
} from "../../gen/attune/content/v1/content_pb.ts";
import {
  CODEC,
  CODED,
  type FieldRow,
  INTERNAL,
  inAll,
  inOpenAi,
  LOSS,
  MEMBER,
  OWN,
  type Rows,
  SAME,
  unredacted,
} from "./field-row.ts";

const message: Rows<Message> = {
  role: MEMBER,
  content: MEMBER,
  name: { chat: SAME, responses: LOSS, messages: LOSS },
  id: unredacted({ chat: OWN, responses: SAME, messages: OWN }),
  extension: CODED,
};

const block: Rows<ContentBlock> = {
  text: CODED,
  image: CODED,
  audio: CODED,
  document: CODED,
  toolUse: CODED,
  toolResult: CODED,
  thinking: CODED,
  redactedThinking: CODED,
  refusal: CODED,
  opaque: CODED,
  cacheMark: inOpenAi("prompt_cache_breakpoint", "cache_control"),
  extension: CODED,
  // Only answers have items in their blocks: in a conversation the message is the item.
  itemId: unredacted(INTERNAL),
  itemExtension: inAll(LOSS),
  logprobs: INTERNAL,
  annotations: CODED,
};

const logprobs: Rows<Logprobs> = { tokens: INTERNAL };
const tokenLogprob: Rows<TokenLogprob> = {
  token: INTERNAL,
  logprob: INTERNAL,
  bytes: INTERNAL,
  topLogprobs: INTERNAL,
  extension: INTERNAL,
};

const annotations: Rows<Annotations> = { annotations: CODED };
const annotation: Rows<Annotation> = { urlCitation: CODED, opaque: CODED };
const urlCitation: Rows<UrlCitation> = {
  url: CODED,
  title: CODED,
  startIndex: CODED,
  endIndex: CODED,
  extension: CODED,
};

const text: Rows<TextBlock> = { text: MEMBER };
const refusal: Rows<RefusalBlock> = { text: inOpenAi("refusal", CODEC) };
const redactedThinking: Rows<RedactedThinkingBlock> = {
  data: { chat: CODEC, responses: "encrypted_content", messages: SAME },
  dialect: unredacted(INTERNAL),
};

const image: Rows<ImageBlock> = {
  url: { chat: "image_url.url", responses: "image_url", messages: "source.url" },
  inline: { chat: "image_url.url", responses: "image_url", messages: "source" },
  fileId: { chat: CODEC, responses: "file_id", messages: "source.file_id" },
  detail: unredacted({ chat: "image_url.detail", responses: SAME, messages: CODEC }),
};

const inline: Rows<InlineData> = { mediaType: unredacted(CODED), base64: CODED, data: CODED };

const audio: Rows<AudioBlock> = {
  base64: inOpenAi("input_audio.data", CODEC),
  format: unredacted(inOpenAi("input_audio.format", CODEC)),
  data: CODED,
};

const document: Rows<DocumentBlock> = {
  url: { chat: CODEC, responses: "file_url", messages: "source.url" },
  inline: { chat: "file.file_data", responses: "file_data", messages: "source" },
  fileId: { chat: "file.file_id", responses: "file_id", messages: "source.file_id" },
  text: inOpenAi(CODEC, "source"),
  content: inOpenAi(CODEC, "source.content"),
  title: { chat: "file.filename", responses: "filename", messages: SAME },
  context: inOpenAi(LOSS, SAME),
};

const documentContent: Rows<DocumentContent> = { blocks: CODED };

const toolUse: Rows<ToolUseBlock> = {
  id: unredacted({ chat: SAME, responses: "call_id", messages: SAME }),
  name: unredacted({ chat: "function.name", responses: SAME, messages: SAME }),
  arguments: { chat: "function.arguments", responses: SAME, messages: "input" },
  kind: CODED,
};

const toolResult: Rows<ToolResultBlock> = {
  toolUseId: unredacted({ chat: "tool_call_id", responses: "call_id", messages: SAME }),
  content: { chat: SAME, responses: "output", messages: SAME },
  isError: inOpenAi(CODEC, SAME),
  kind: CODED,
};

const thinking: Rows<ThinkingBlock> = {
  text: { chat: CODEC, responses: "content", messages: "thinking" },
  summary: { chat: CODEC, responses: SAME, messages: "thinking" },
  opaque: { chat: CODEC, responses: "encrypted_content", messages: "signature" },
  id: unredacted({ chat: CODEC, responses: SAME, messages: OWN }),
  dialect: unredacted(INTERNAL),
};

const tool: Rows<Tool> = {
  function: CODED,
  custom: inOpenAi(CODEC, LOSS),
  opaque: CODED,
  cacheMark: inOpenAi(LOSS, "cache_control"),
  extension: CODED,
};

const functionTool: Rows<FunctionTool> = {
  name: unredacted({ chat: "function.name", responses: SAME, messages: SAME }),
  description: { chat: "function.description", responses: SAME, messages: SAME },
  parametersJson: { chat: "function.parameters", responses: "parameters", messages: "input_schema" },
  strict: { chat: "function.strict", responses: SAME, messages: SAME },
};

const customTool: Rows<CustomTool> = {
  name: unredacted({ chat: "custom.name", responses: SAME, messages: CODEC }),
  description: { chat: "custom.description", responses: SAME, messages: CODEC },
  formatJson: { chat: "custom.format", responses: "format", messages: CODEC },
};

const toolChoice: Rows<ToolChoice> = {
  mode: CODED,
  name: unredacted(CODED),
  kind: CODED,
  allowedNames: unredacted(CODED),
  opaque: CODED,
};

/** Names are those below the request. */
const reasoning: Rows<Reasoning> = {
  effort: { chat: "reasoning_effort", responses: "reasoning.effort", messages: "output_config.effort" },
  mode: inOpenAi(CODEC, "thinking"),
  budgetTokens: inOpenAi(CODEC, "thinking.budget_tokens"),
  summary: unredacted({ chat: LOSS, responses: "reasoning.summary", messages: CODEC }),
  display: unredacted({ chat: LOSS, responses: CODEC, messages: "thinking.display" }),
  extension: { chat: LOSS, responses: CODEC, messages: CODEC },
};

const outputFormat: Rows<OutputFormat> = { text: CODED, jsonObject: CODED, jsonSchema: CODED };

/** Names are those below the request. */
const jsonSchema: Rows<JsonSchema> = {
  name: { chat: "response_format.json_schema.name", responses: "text.format.name", messages: CODEC },
  description: {
    chat: "response_format.json_schema.description",
    responses: "text.format.description",
    messages: CODEC,
  },
  schemaJson: {
    chat: "response_format.json_schema.schema",
    responses: "text.format.schema",
    messages: "output_config.format.schema",
  },
  strict: { chat: "response_format.json_schema.strict", responses: "text.format.strict", messages: CODEC },
};

/** Kept by value: the formats have other lifetimes. */
const cacheMark: Rows<CacheMark> = { ttl: CODED };

/** The fields of what stands in a request, by the names of their messages: see FIELDS. */
export const CONTENT_FIELDS: Readonly<Record<string, Readonly<Record<string, FieldRow>>>> = {
  Message: message,
  ContentBlock: block,
  TextBlock: text,
  RefusalBlock: refusal,
  RedactedThinkingBlock: redactedThinking,
  ImageBlock: image,
  InlineData: inline,
  AudioBlock: audio,
  DocumentBlock: document,
  DocumentContent: documentContent,
  ToolUseBlock: toolUse,
  ToolResultBlock: toolResult,
  ThinkingBlock: thinking,
  Tool: tool,
  FunctionTool: functionTool,
  CustomTool: customTool,
  ToolChoice: toolChoice,
  Reasoning: reasoning,
  OutputFormat: outputFormat,
  JsonSchema: jsonSchema,
  PlainText: {},
  JsonObject: {},
  CacheMark: cacheMark,
  Logprobs: logprobs,
  TokenLogprob: tokenLogprob,
  Annotations: annotations,
  Annotation: annotation,
  UrlCitation: urlCitation,
};
