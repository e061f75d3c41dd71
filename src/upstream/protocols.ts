import type { HttpUpstreamConfig, UpstreamConfig } from "../config/config.ts";
import type { Platform } from "../config/connection-config.ts";
import { openaiChatProtocol } from "../formats/chat/protocol.ts";
import { embeddingsProtocol } from "../formats/embeddings/protocol.ts";
import { bedrockMessagesProtocol } from "../formats/messages/bedrock.ts";
import { createConverseProtocol } from "../formats/messages/converse/protocol.ts";
import { anthropicMessagesProtocol } from "../formats/messages/protocol.ts";
import { vertexMessagesProtocol } from "../formats/messages/vertex.ts";
import { openaiResponsesProtocol } from "../formats/responses/protocol.ts";
import type { UpstreamProtocol } from "../formats/shared/protocol.ts";
import { withApiVersion } from "./azure-protocol.ts";

/** The protocols of upstreams that are reached over HTTP, by kind. */
export const PROTOCOLS: Record<Exclude<UpstreamConfig["kind"], "sandbox">, UpstreamProtocol> = {
  "openai-chat": { ...openaiChatProtocol, embeddings: embeddingsProtocol },
  "openai-responses": { ...openaiResponsesProtocol, embeddings: embeddingsProtocol },
  "anthropic-messages": anthropicMessagesProtocol,
  "bedrock-converse": createConverseProtocol(),
};

/** Messages as platforms have them. */
const PLATFORMS: Record<Platform, UpstreamProtocol> = {
  bedrock: bedrockMessagesProtocol,
  vertex: vertexMessagesProtocol,
};

type ProtocolSettings = Pick<
  HttpUpstreamConfig,
  "kind" | "apiVersion" | "platform" | "structuredOutput" | "cachePoints"
>;

/** Returns the protocol of an upstream: that of its kind, as its platform has it. */
export function protocolOf({ kind, apiVersion, platform, ...abilities }: ProtocolSettings): UpstreamProtocol {
  if (kind === "bedrock-converse") return createConverseProtocol(abilities);
  if (platform !== undefined) return PLATFORMS[platform];
  return apiVersion === undefined ? PROTOCOLS[kind] : withApiVersion(PROTOCOLS[kind], apiVersion);
}
