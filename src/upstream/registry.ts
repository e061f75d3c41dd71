import type { Config, UpstreamConfig } from "../config/config.ts";
import { openaiChatProtocol } from "../formats/chat/protocol.ts";
import { anthropicMessagesProtocol } from "../formats/messages/protocol.ts";
import { openaiResponsesProtocol } from "../formats/responses/protocol.ts";
import { withOutputLimit } from "../formats/shared/output-limit/with-output-limit.ts";
import type { UpstreamProtocol } from "../formats/shared/protocol.ts";
import type { ToolNameRules } from "../formats/shared/tool-names/flatten-input.ts";
import { MAX_TOOL_NAME } from "../formats/shared/tool-names/name-rules.ts";
import { withToolNames } from "../formats/shared/tool-names/with-tool-names.ts";
import type { Upstream } from "../hub/upstream.ts";
import { createHttpUpstream } from "./http-upstream.ts";
import { createSandboxUpstream } from "./sandbox/upstream.ts";

const PROTOCOLS: Record<Exclude<UpstreamConfig["kind"], "sandbox">, UpstreamProtocol> = {
  "openai-chat": openaiChatProtocol,
  "openai-responses": openaiResponsesProtocol,
  "anthropic-messages": anthropicMessagesProtocol,
};

const TOOL_NAMES: Readonly<Record<UpstreamConfig["kind"], ToolNameRules>> = {
  "openai-chat": { maxLength: MAX_TOOL_NAME.chat },
  "openai-responses": { maxLength: MAX_TOOL_NAME.responses, hasNamespaces: true },
  "anthropic-messages": { maxLength: MAX_TOOL_NAME.messages },
  sandbox: { maxLength: MAX_TOOL_NAME.chat },
};

/**
 * Fewest tokens that a limit of the answer may have. Messages takes 0, which fills its cache; the Responses API takes
 * 16 (max_output_tokens in openai/resources/responses, and "integer_below_min_value").
 */
const LEAST_OUTPUT_TOKENS: Record<UpstreamConfig["kind"], number> = {
  "openai-chat": 1,
  "openai-responses": 16,
  "anthropic-messages": 0,
  sandbox: 0,
};

/** Creates the upstreams of a configuration, by name. */
export function createUpstreams(configured: Config["upstreams"]): ReadonlyMap<string, Upstream> {
  return new Map(Object.entries(configured).map(([name, config]) => [name, createUpstream(name, config)]));
}

function createUpstream(name: string, config: UpstreamConfig): Upstream {
  const upstream = withOutputLimit(createPlainUpstream(name, config), LEAST_OUTPUT_TOKENS[config.kind]);
  return withToolNames(upstream, TOOL_NAMES[config.kind]);
}

function createPlainUpstream(name: string, config: UpstreamConfig): Upstream {
  if (config.kind === "sandbox") return createSandboxUpstream(name);
  return createHttpUpstream(PROTOCOLS[config.kind], { name, ...config });
}
