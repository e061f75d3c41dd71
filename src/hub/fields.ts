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
import type { CallFacts, InferenceInput } from "../../gen/attune/inference/v1/inference_pb.ts";
import { CODEC, type Fate, type FieldRow, LOSS, OWN, type Rows, SAME } from "./field-row.ts";

const inAll = (fate: Fate): FieldRow => ({ chat: fate, responses: fate, messages: fate });
const MEMBER = inAll(SAME);
const CODED = inAll(CODEC);
const INTERNAL = inAll(OWN);
/** Of a text that says nothing of what was talked about. */
const keptRow = (row: FieldRow): FieldRow => ({ ...row, isKept: true });
const labelled = (label: string, row: FieldRow): FieldRow => ({ ...row, label });
const inOpenAi = (fate: Fate, messages: Fate): FieldRow => ({ chat: fate, responses: fate, messages });

/** In the order of the page of a request, which shows what has a label. */
const request: Rows<InferenceInput> = {
  model: keptRow(MEMBER),
  system: { chat: CODEC, responses: "instructions", messages: SAME },
  messages: { chat: SAME, responses: "input", messages: SAME },
  tools: MEMBER,
  maxOutputTokens: labelled("Most tokens of the answer", {
    chat: "max_completion_tokens",
    responses: SAME,
    messages: "max_tokens",
  }),
  temperature: labelled("Temperature", inOpenAi({ min: 0, max: 2 }, { min: 0, max: 1 })),
  topP: labelled("Top p", inAll({ min: 0, max: 1 })),
  topK: labelled("Top k", inOpenAi(LOSS, { min: 0 })),
  stopSequences: labelled("Stops at", { chat: "stop", responses: LOSS, messages: SAME }),
  reasoning: labelled("Reasoning", { chat: CODEC, responses: SAME, messages: "thinking" }),
  outputFormat: labelled("Form of the answer", {
    chat: "response_format",
    responses: "text.format",
    messages: "output_config.format",
  }),
  toolChoice: labelled("Tools to call", MEMBER),
  logprobs: labelled("Probabilities of tokens", { chat: {}, responses: CODEC, messages: CODEC }),
  topLogprobs: labelled("Likeliest tokens told", inOpenAi({ min: 0, max: 20 }, CODEC)),
  parallelToolCalls: labelled("Calls in one turn", inOpenAi(SAME, "tool_choice.disable_parallel_tool_use")),
  verbosity: labelled("Length", keptRow({ chat: SAME, responses: "text.verbosity", messages: LOSS })),
  promptCacheKey: labelled("Prompt cache key", inOpenAi(SAME, LOSS)),
  automaticCacheMark: labelled("Cache mark", inOpenAi(CODEC, "cache_control")),
  endUserId: labelled("End user", inOpenAi("safety_identifier", "metadata.user_id")),
  metadata: labelled("Metadata", inOpenAi(SAME, LOSS)),
  betas: labelled("Beta features", keptRow({ ...inOpenAi(LOSS, CODEC), header: "anthropic-beta" })),
  candidates: labelled("Answers to choose from", INTERNAL),
  // Each is a call of its own.
  n: labelled("Answers", INTERNAL),
  store: labelled("Stored", { chat: OWN, responses: SAME, messages: OWN }),
  strict: labelled("Losses in translation", INTERNAL),
  // A codec knows which members of another format mean the same in its own.
  extension: CODED,
  workload: keptRow(INTERNAL),
  // They are columns of the record, which the page of a request shows on its own.
  facts: INTERNAL,
  maxCostNanos: INTERNAL,
  noTexts: INTERNAL,
  previousId: keptRow({ chat: OWN, responses: "previous_response_id", messages: "thread.previous_message_id" }),
  conversationId: keptRow({ chat: OWN, responses: "conversation", messages: OWN }),
  plain: INTERNAL,
  ...{ thread: INTERNAL, compact: INTERNAL, embedding: INTERNAL },
};

const message: Rows<Message> = {
  role: MEMBER,
  content: MEMBER,
  name: { chat: SAME, responses: LOSS, messages: LOSS },
  id: keptRow({ chat: OWN, responses: SAME, messages: OWN }),
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
  itemId: keptRow(INTERNAL),
  itemExtension: inAll(LOSS),
  logprobs: INTERNAL,
  annotations: CODED,
};

const callFacts: Rows<CallFacts> = {
  sessionId: INTERNAL,
  parentSessionId: INTERNAL,
  endUserId: INTERNAL,
  tags: INTERNAL,
  sessionSource: INTERNAL,
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
  dialect: keptRow(INTERNAL),
};

const image: Rows<ImageBlock> = {
  url: { chat: "image_url.url", responses: "image_url", messages: "source.url" },
  inline: { chat: "image_url.url", responses: "image_url", messages: "source" },
  fileId: { chat: CODEC, responses: "file_id", messages: "source.file_id" },
  detail: keptRow({ chat: "image_url.detail", responses: SAME, messages: CODEC }),
};

const inline: Rows<InlineData> = { mediaType: keptRow(CODED), base64: CODED, data: CODED };

const audio: Rows<AudioBlock> = {
  base64: inOpenAi("input_audio.data", CODEC),
  format: keptRow(inOpenAi("input_audio.format", CODEC)),
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
  id: keptRow({ chat: SAME, responses: "call_id", messages: SAME }),
  name: keptRow({ chat: "function.name", responses: SAME, messages: SAME }),
  arguments: { chat: "function.arguments", responses: SAME, messages: "input" },
  kind: CODED,
};

const toolResult: Rows<ToolResultBlock> = {
  toolUseId: keptRow({ chat: "tool_call_id", responses: "call_id", messages: SAME }),
  content: { chat: SAME, responses: "output", messages: SAME },
  isError: inOpenAi(CODEC, SAME),
  kind: CODED,
};

const thinking: Rows<ThinkingBlock> = {
  text: { chat: CODEC, responses: "content", messages: "thinking" },
  summary: { chat: CODEC, responses: SAME, messages: "thinking" },
  opaque: { chat: CODEC, responses: "encrypted_content", messages: "signature" },
  id: keptRow({ chat: CODEC, responses: SAME, messages: OWN }),
  dialect: keptRow(INTERNAL),
};

const tool: Rows<Tool> = {
  function: CODED,
  custom: inOpenAi(CODEC, LOSS),
  opaque: CODED,
  cacheMark: inOpenAi(LOSS, "cache_control"),
  extension: CODED,
};

const functionTool: Rows<FunctionTool> = {
  name: keptRow({ chat: "function.name", responses: SAME, messages: SAME }),
  description: { chat: "function.description", responses: SAME, messages: SAME },
  parametersJson: { chat: "function.parameters", responses: "parameters", messages: "input_schema" },
  strict: { chat: "function.strict", responses: SAME, messages: SAME },
};

const customTool: Rows<CustomTool> = {
  name: keptRow({ chat: "custom.name", responses: SAME, messages: CODEC }),
  description: { chat: "custom.description", responses: SAME, messages: CODEC },
  formatJson: { chat: "custom.format", responses: "format", messages: CODEC },
};

const toolChoice: Rows<ToolChoice> = {
  mode: CODED,
  name: keptRow(CODED),
  kind: CODED,
  allowedNames: keptRow(CODED),
  opaque: CODED,
};

/** Names are those below the request. */
const reasoning: Rows<Reasoning> = {
  effort: { chat: "reasoning_effort", responses: "reasoning.effort", messages: "output_config.effort" },
  mode: inOpenAi(CODEC, "thinking"),
  budgetTokens: inOpenAi(CODEC, "thinking.budget_tokens"),
  summary: keptRow({ chat: LOSS, responses: "reasoning.summary", messages: CODEC }),
  display: keptRow({ chat: LOSS, responses: CODEC, messages: "thinking.display" }),
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

/**
 * The fields of a request: one row a field, by the name of its message. It says what becomes of the field in each
 * format that upstreams speak; what is lost of a request, and how callers are told, comes from here.
 */
export const FIELDS: Readonly<Record<string, Readonly<Record<string, FieldRow>>>> = {
  InferenceInput: request,
  CallFacts: callFacts,
  EmbeddingOptions: { tokenInputs: INTERNAL, dimensions: INTERNAL, encoding: INTERNAL },
  TokenInput: { tokens: INTERNAL },
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
