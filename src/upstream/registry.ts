import type { Config, UpstreamConfig } from "../config/config.ts";
import { type OutputRules, withOutputLimit } from "../formats/shared/output-limit/with-output-limit.ts";
import type { ToolNameRules } from "../formats/shared/tool-names/flatten-input.ts";
import { MAX_TOOL_NAME } from "../formats/shared/tool-names/name-rules.ts";
import { withToolNames } from "../formats/shared/tool-names/with-tool-names.ts";
import type { Upstream } from "../hub/upstream.ts";
import { createSigner } from "./auth/create-signer.ts";
import type { Environment } from "./auth/environment.ts";
import { createHttpUpstream } from "./http-upstream.ts";
import { protocolOf } from "./protocols.ts";
import { createSandboxUpstream } from "./sandbox/upstream.ts";
import { withQueue } from "./with-queue.ts";

const TOOL_NAMES: Readonly<Record<UpstreamConfig["kind"], ToolNameRules>> = {
  "openai-chat": { maxLength: MAX_TOOL_NAME.chat },
  "openai-responses": { maxLength: MAX_TOOL_NAME.responses, hasNamespaces: true },
  "anthropic-messages": { maxLength: MAX_TOOL_NAME.messages },
  sandbox: { maxLength: MAX_TOOL_NAME.chat },
};

/**
 * The limits that answers may have, and the upstreams whose thinking has a budget. Messages takes a limit of 0, which
 * fills its cache; the Responses API takes 16 (max_output_tokens in openai/resources/responses, and
 * "integer_below_min_value").
 */
const OUTPUT_RULES: Record<UpstreamConfig["kind"], OutputRules> = {
  "openai-chat": { leastTokens: 1, hasBudget: false },
  "openai-responses": { leastTokens: 16, hasBudget: false },
  "anthropic-messages": { leastTokens: 0, hasBudget: true },
  sandbox: { leastTokens: 0, hasBudget: true },
};

/** Creates the upstreams of a configuration, by name. The environment may have the credentials of those that sign. */
export function createUpstreams(
  configured: Config["upstreams"],
  environment: Environment = process.env,
): ReadonlyMap<string, Upstream> {
  return new Map(Object.entries(configured).map(([name, config]) => [name, createUpstream(name, config, environment)]));
}

function createUpstream(name: string, config: UpstreamConfig, environment: Environment): Upstream {
  const upstream = withOutputLimit(createPlainUpstream(name, config, environment), OUTPUT_RULES[config.kind]);
  return withToolNames(upstream, TOOL_NAMES[config.kind]);
}

function createPlainUpstream(name: string, config: UpstreamConfig, environment: Environment): Upstream {
  if (config.kind === "sandbox") return createSandboxUpstream(name);
  const { auth, queue, ...options } = config;
  const keyHeader = auth?.type === "header" ? auth.name : undefined;
  const upstream = createHttpUpstream(protocolOf(config), {
    name,
    ...options,
    keyHeader,
    signer: createSigner(config, environment),
  });
  return queue === undefined ? upstream : withQueue(upstream, queue);
}
