import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import type { EmbeddingKind, HttpUpstreamConfig, UpstreamConfig } from "../config/config.ts";
import type { Platform } from "../config/connection-config.ts";
import { openaiChatProtocol } from "../formats/chat/protocol.ts";
import { embeddingsProtocol } from "../formats/embeddings/protocol.ts";
import { bedrockMessagesProtocol } from "../formats/messages/bedrock.ts";
import { createConverseProtocol } from "../formats/messages/converse/protocol.ts";
import { anthropicMessagesProtocol } from "../formats/messages/protocol.ts";
import { vertexMessagesProtocol } from "../formats/messages/vertex.ts";
import { openaiResponsesProtocol } from "../formats/responses/protocol.ts";
import type { OutputRules } from "../formats/shared/output-limit/with-output-limit.ts";
import type { UpstreamProtocol } from "../formats/shared/protocol.ts";
import type { ToolRules } from "../formats/shared/tool-forms/tool-rules.ts";
import { MAX_TOOL_NAME } from "../formats/shared/tool-names/flat-names.ts";

/** The rules that requests to a kind of upstream are made to fit. */
interface KindRules {
  /** The names and kinds that its tools may have. */
  readonly tools: ToolRules;
  /** The limits that answers may have, and whether its thinking has a budget. */
  readonly output: OutputRules;
}

/** The configuration takes models that embed at these kinds. */
type Protocol<Kind> = Kind extends EmbeddingKind
  ? UpstreamProtocol & Required<Pick<UpstreamProtocol, "embeddings">>
  : UpstreamProtocol;

type Kinds = {
  readonly [Kind in HttpUpstreamConfig["kind"]]: KindRules & { readonly protocol: Protocol<Kind> };
};

/** The kinds of upstream that are reached over HTTP. */
export const KINDS: Kinds = {
  "openai-chat": {
    protocol: { ...openaiChatProtocol, embeddings: embeddingsProtocol },
    // Servers other than OpenAI's know functions; their own callers have to know.
    tools: { maxLength: MAX_TOOL_NAME.chat, customTools: Dialect.CHAT },
    output: { leastTokens: 1, hasBudget: false },
  },
  "openai-responses": {
    protocol: { ...openaiResponsesProtocol, embeddings: embeddingsProtocol },
    tools: { maxLength: MAX_TOOL_NAME.responses, ownDialect: Dialect.RESPONSES, customTools: "any" },
    // max_output_tokens in openai/resources/responses, and "integer_below_min_value".
    output: { leastTokens: 16, hasBudget: false },
  },
  "anthropic-messages": {
    protocol: anthropicMessagesProtocol,
    tools: { maxLength: MAX_TOOL_NAME.messages, ownDialect: Dialect.MESSAGES, customTools: "none" },
    // A limit of 0 fills its cache.
    output: { leastTokens: 0, hasBudget: true },
  },
  "bedrock-converse": {
    protocol: createConverseProtocol(),
    tools: { maxLength: MAX_TOOL_NAME.chat, customTools: "none" },
    output: { leastTokens: 1, hasBudget: false },
  },
};

/** The rules of the sandbox, which speaks no format. */
const SANDBOX_RULES: KindRules = {
  tools: { maxLength: MAX_TOOL_NAME.chat, customTools: "any" },
  output: { leastTokens: 0, hasBudget: true },
};

/** Returns the rules of an upstream: those of its kind, and of its tools what its server is known to take. */
export function getKindRules(config: UpstreamConfig): KindRules {
  if (config.kind === "sandbox") return SANDBOX_RULES;
  const rules = KINDS[config.kind];
  const { maxLength, ...tools } = rules.tools;
  const known = config.profile?.toolKinds ?? "as-called";
  const kinds = { "as-called": tools, functions: FUNCTIONS_ALONE, custom: { ...tools, customTools: "any" } } as const;
  const toolChoices = config.kind === "openai-chat" ? undefined : config.profile?.toolChoices;
  return { ...rules, tools: { maxLength, ...kinds[known], toolChoices } };
}

const FUNCTIONS_ALONE = { customTools: "none" } as const;

/** Messages as platforms have them. */
const PLATFORMS: Record<Platform, UpstreamProtocol> = {
  bedrock: bedrockMessagesProtocol,
  vertex: vertexMessagesProtocol,
};

type ProtocolSettings = Pick<
  HttpUpstreamConfig,
  "kind" | "apiVersion" | "platform" | "structuredOutput" | "effort" | "citations" | "cachePoints"
>;

/** Returns the protocol of an upstream: that of its kind, as its platform has it. */
export function getProtocol({ kind, apiVersion, platform, ...abilities }: ProtocolSettings): UpstreamProtocol {
  if (kind === "bedrock-converse") return createConverseProtocol(abilities);
  if (platform !== undefined) return PLATFORMS[platform];
  const { protocol } = KINDS[kind];
  return apiVersion === undefined ? protocol : withApiVersion(protocol, apiVersion);
}

/**
 * Returns a format as the dated API of Azure OpenAI has it: with its version in the query, chat and embeddings at the
 * path of their deployment (AzureOpenAI in the official SDK). Counting and compaction are parts of the v1 API alone.
 */
export function withApiVersion(protocol: UpstreamProtocol, apiVersion: string): UpstreamProtocol {
  const { count: _count, compaction: _compaction, embeddings, ...rest } = protocol;
  const query = `?api-version=${encodeURIComponent(apiVersion)}`;
  const ofDeployment = (path: string) => (model: string) => `/deployments/${encodeURIComponent(model)}${path}${query}`;
  const dated: UpstreamProtocol = {
    ...rest,
    path: protocol.path + query,
    ...(embeddings && { embeddings: { ...embeddings, modelPath: ofDeployment(embeddings.path) } }),
  };
  return protocol.dialect === Dialect.CHAT ? { ...dated, modelPath: ofDeployment(protocol.path) } : dated;
}
