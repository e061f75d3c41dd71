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
  NO_EFFECT,
  OWN,
  type Rows,
  SAME,
  unredacted,
} from "./field-row.ts";

const message: Rows<Message> = {
  role: MEMBER,
  content: MEMBER,
  name: { chat: SAME, responses: LOSS, messages: LOSS, sandbox: NO_EFFECT },
  id: unredacted({ chat: OWN, responses: SAME, messages: OWN, sandbox: OWN }),
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
  cacheMark: { ...inOpenAi("prompt_cache_breakpoint", "cache_control"), sandbox: CODEC },
  extension: CODED,
  // Only answers have items in their blocks: in a conversation the message is the item.
  itemId: unredacted(INTERNAL),
  itemExtension: { ...inAll(LOSS), sandbox: LOSS },
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
  url: { ...CODED, sandbox: NO_EFFECT },
  title: { ...CODED, sandbox: NO_EFFECT },
  startIndex: { ...CODED, sandbox: NO_EFFECT },
  endIndex: { ...CODED, sandbox: NO_EFFECT },
  extension: CODED,
};

const text: Rows<TextBlock> = { text: MEMBER };
const refusal: Rows<RefusalBlock> = { text: { ...inOpenAi("refusal", CODEC), sandbox: CODEC } };
const redactedThinking: Rows<RedactedThinkingBlock> = {
  data: { chat: CODEC, responses: "encrypted_content", messages: SAME, sandbox: CODEC },
  dialect: unredacted(INTERNAL),
};

const image: Rows<ImageBlock> = {
  url: { chat: "image_url.url", responses: "image_url", messages: "source.url", sandbox: NO_EFFECT },
  inline: { chat: "image_url.url", responses: "image_url", messages: "source", sandbox: NO_EFFECT },
  fileId: { chat: CODEC, responses: "file_id", messages: "source.file_id", sandbox: NO_EFFECT },
  detail: unredacted({ chat: "image_url.detail", responses: SAME, messages: CODEC, sandbox: NO_EFFECT }),
};

const inline: Rows<InlineData> = {
  mediaType: unredacted({ ...CODED, sandbox: NO_EFFECT }),
  base64: { ...CODED, sandbox: NO_EFFECT },
  data: { ...CODED, sandbox: NO_EFFECT },
};

const audio: Rows<AudioBlock> = {
  base64: { ...inOpenAi("input_audio.data", CODEC), sandbox: NO_EFFECT },
  format: unredacted({ ...inOpenAi("input_audio.format", CODEC), sandbox: NO_EFFECT }),
  data: { ...CODED, sandbox: NO_EFFECT },
};

const document: Rows<DocumentBlock> = {
  url: { chat: CODEC, responses: "file_url", messages: "source.url", sandbox: CODEC },
  inline: { chat: "file.file_data", responses: "file_data", messages: "source", sandbox: CODEC },
  fileId: { chat: "file.file_id", responses: "file_id", messages: "source.file_id", sandbox: CODEC },
  text: { ...inOpenAi(CODEC, "source"), sandbox: CODEC },
  content: { ...inOpenAi(CODEC, "source.content"), sandbox: CODEC },
  title: { chat: "file.filename", responses: "filename", messages: SAME, sandbox: NO_EFFECT },
  context: { ...inOpenAi(LOSS, SAME), sandbox: NO_EFFECT },
};

const documentContent: Rows<DocumentContent> = { blocks: CODED };

const toolUse: Rows<ToolUseBlock> = {
  id: unredacted({ chat: SAME, responses: "call_id", messages: SAME, sandbox: CODEC }),
  name: unredacted({ chat: "function.name", responses: SAME, messages: SAME, sandbox: CODEC }),
  arguments: { chat: "function.arguments", responses: SAME, messages: "input", sandbox: CODEC },
  kind: { ...CODED, sandbox: NO_EFFECT },
};

const toolResult: Rows<ToolResultBlock> = {
  toolUseId: unredacted({ chat: "tool_call_id", responses: "call_id", messages: SAME, sandbox: CODEC }),
  content: { chat: SAME, responses: "output", messages: SAME, sandbox: CODEC },
  isError: { ...inOpenAi(CODEC, SAME), sandbox: CODEC },
  kind: { ...CODED, sandbox: NO_EFFECT },
};

const thinking: Rows<ThinkingBlock> = {
  text: { chat: CODEC, responses: "content", messages: "thinking", sandbox: CODEC },
  summary: { chat: CODEC, responses: SAME, messages: "thinking", sandbox: CODEC },
  opaque: { chat: CODEC, responses: "encrypted_content", messages: "signature", sandbox: CODEC },
  id: unredacted({ chat: CODEC, responses: SAME, messages: OWN, sandbox: OWN }),
  dialect: unredacted(INTERNAL),
};

const tool: Rows<Tool> = {
  function: CODED,
  custom: { ...inOpenAi(CODEC, LOSS), sandbox: CODEC },
  opaque: CODED,
  cacheMark: { ...inOpenAi(LOSS, "cache_control"), sandbox: CODEC },
  extension: CODED,
};

const functionTool: Rows<FunctionTool> = {
  name: unredacted({ chat: "function.name", responses: SAME, messages: SAME, sandbox: CODEC }),
  description: { chat: "function.description", responses: SAME, messages: SAME, sandbox: CODEC },
  parametersJson: { chat: "function.parameters", responses: "parameters", messages: "input_schema", sandbox: CODEC },
  strict: { chat: "function.strict", responses: SAME, messages: SAME, sandbox: NO_EFFECT },
};

const customTool: Rows<CustomTool> = {
  name: unredacted({ chat: "custom.name", responses: SAME, messages: CODEC, sandbox: CODEC }),
  description: { chat: "custom.description", responses: SAME, messages: CODEC, sandbox: CODEC },
  formatJson: { chat: "custom.format", responses: "format", messages: CODEC, sandbox: CODEC },
};

const toolChoice: Rows<ToolChoice> = {
  mode: CODED,
  name: unredacted(CODED),
  kind: { ...CODED, sandbox: NO_EFFECT },
  allowedNames: unredacted(CODED),
  opaque: { ...CODED, sandbox: NO_EFFECT },
};

/** Names are those below the request. */
const reasoning: Rows<Reasoning> = {
  effort: { chat: "reasoning_effort", responses: "reasoning.effort", messages: "output_config.effort", sandbox: CODEC },
  mode: { ...inOpenAi(CODEC, "thinking"), sandbox: CODEC },
  budgetTokens: { ...inOpenAi(CODEC, "thinking.budget_tokens"), sandbox: NO_EFFECT },
  summary: unredacted({ chat: LOSS, responses: "reasoning.summary", messages: CODEC, sandbox: NO_EFFECT }),
  display: unredacted({ chat: LOSS, responses: CODEC, messages: "thinking.display", sandbox: CODEC }),
  extension: { chat: LOSS, responses: CODEC, messages: CODEC, sandbox: CODEC },
};

const outputFormat: Rows<OutputFormat> = { text: CODED, jsonObject: CODED, jsonSchema: CODED };

/** Names are those below the request. */
const jsonSchema: Rows<JsonSchema> = {
  name: {
    chat: "response_format.json_schema.name",
    responses: "text.format.name",
    messages: CODEC,
    sandbox: NO_EFFECT,
  },
  description: {
    chat: "response_format.json_schema.description",
    responses: "text.format.description",
    messages: CODEC,
    sandbox: NO_EFFECT,
  },
  schemaJson: {
    chat: "response_format.json_schema.schema",
    responses: "text.format.schema",
    messages: "output_config.format.schema",
    sandbox: CODEC,
  },
  strict: {
    chat: "response_format.json_schema.strict",
    responses: "text.format.strict",
    messages: CODEC,
    sandbox: NO_EFFECT,
  },
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
