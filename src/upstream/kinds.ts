import type { EmbeddingKind, HttpUpstreamConfig } from "../config/config.ts";
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
import { MAX_TOOL_NAME } from "../formats/shared/tool-names/flat-names.ts";
import type { ToolNameRules } from "../formats/shared/tool-names/flatten-input.ts";
import { withApiVersion } from "./azure-protocol.ts";

/** The rules that requests to a kind of upstream are made to fit. */
interface KindRules {
  /** The names that its tools may have. */
  readonly toolNames: ToolNameRules;
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
    toolNames: { maxLength: MAX_TOOL_NAME.chat },
    output: { leastTokens: 1, hasBudget: false },
  },
  "openai-responses": {
    protocol: { ...openaiResponsesProtocol, embeddings: embeddingsProtocol },
    toolNames: { maxLength: MAX_TOOL_NAME.responses, hasNamespaces: true },
    // max_output_tokens in openai/resources/responses, and "integer_below_min_value".
    output: { leastTokens: 16, hasBudget: false },
  },
  "anthropic-messages": {
    protocol: anthropicMessagesProtocol,
    toolNames: { maxLength: MAX_TOOL_NAME.messages },
    // A limit of 0 fills its cache.
    output: { leastTokens: 0, hasBudget: true },
  },
  "bedrock-converse": {
    protocol: createConverseProtocol(),
    toolNames: { maxLength: MAX_TOOL_NAME.chat },
    output: { leastTokens: 1, hasBudget: false },
  },
};

/** The rules of the sandbox, which speaks no format. */
export const SANDBOX_RULES: KindRules = {
  toolNames: { maxLength: MAX_TOOL_NAME.chat },
  output: { leastTokens: 0, hasBudget: true },
};

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
export function protocolOf({ kind, apiVersion, platform, ...abilities }: ProtocolSettings): UpstreamProtocol {
  if (kind === "bedrock-converse") return createConverseProtocol(abilities);
  if (platform !== undefined) return PLATFORMS[platform];
  const { protocol } = KINDS[kind];
  return apiVersion === undefined ? protocol : withApiVersion(protocol, apiVersion);
}
