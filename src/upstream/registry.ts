import type { Config, UpstreamConfig } from "../config/config.ts";
import { type OutputRules, withOutputLimit } from "../formats/shared/output-limit/with-output-limit.ts";
import type { ToolNameRules } from "../formats/shared/tool-names/flatten-input.ts";
import { MAX_TOOL_NAME } from "../formats/shared/tool-names/name-rules.ts";
import { withToolNames } from "../formats/shared/tool-names/with-tool-names.ts";
import type { Upstream } from "../hub/upstream.ts";
import { createSigner } from "./auth/create-signer.ts";
import type { Environment } from "./auth/environment.ts";
import { createHttpUpstream } from "./http-upstream.ts";
import type { KeyChange } from "./keys/key-ring.ts";
import { protocolOf } from "./protocols.ts";
import { createSandboxUpstream } from "./sandbox/upstream.ts";
import { UpstreamQueues } from "./upstream-queues.ts";
import { withQueue } from "./with-queue.ts";

const TOOL_NAMES: Readonly<Record<UpstreamConfig["kind"], ToolNameRules>> = {
  "openai-chat": { maxLength: MAX_TOOL_NAME.chat },
  "openai-responses": { maxLength: MAX_TOOL_NAME.responses, hasNamespaces: true },
  "anthropic-messages": { maxLength: MAX_TOOL_NAME.messages },
  "bedrock-converse": { maxLength: MAX_TOOL_NAME.chat },
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
  "bedrock-converse": { leastTokens: 1, hasBudget: false },
  sandbox: { leastTokens: 0, hasBudget: true },
};

/** The surroundings of upstreams. */
export interface UpstreamSettings {
  /** May have the credentials of upstreams that sign; that of the process if absent. */
  readonly environment?: Environment;
  /** Places of calls, which outlive reloads; absent: they are of these upstreams alone. */
  readonly queues?: UpstreamQueues;
  /** Is told of keys of an upstream that are refused, or taken again. */
  readonly onKey?: (upstream: string, change: KeyChange) => void;
}

/** Creates the upstreams of a configuration, by name. */
export function createUpstreams(
  configured: Config["upstreams"],
  { environment = process.env, queues = new UpstreamQueues(), onKey = () => {} }: UpstreamSettings = {},
): ReadonlyMap<string, Upstream> {
  const settings = { environment, queues, onKey };
  queues.keepOnly(Object.keys(configured));
  return new Map(Object.entries(configured).map(([name, config]) => [name, createUpstream(name, config, settings)]));
}

function createUpstream(name: string, config: UpstreamConfig, settings: Required<UpstreamSettings>): Upstream {
  const upstream = withOutputLimit(createPlainUpstream(name, config, settings), OUTPUT_RULES[config.kind]);
  return withToolNames(upstream, TOOL_NAMES[config.kind]);
}

function createPlainUpstream(
  name: string,
  config: UpstreamConfig,
  { environment, queues, onKey }: Required<UpstreamSettings>,
): Upstream {
  if (config.kind === "sandbox") return createSandboxUpstream(name);
  const { auth, queue, ...options } = config;
  const keyHeader = auth?.type === "header" ? auth.name : undefined;
  const upstream = createHttpUpstream(protocolOf(config), {
    name,
    ...options,
    keyHeader,
    signer: createSigner(config, environment),
    onKey: (change) => onKey(name, change),
  });
  return queue === undefined ? upstream : withQueue(upstream, queue, queues.permitsOf(name, queue.concurrentCalls));
}
