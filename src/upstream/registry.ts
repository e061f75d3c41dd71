import type { Config, UpstreamConfig } from "../config/config.ts";
import { withOutputLimit } from "../formats/shared/output-limit/with-output-limit.ts";
import { withToolForms } from "../formats/shared/tool-forms/with-tool-forms.ts";
import type { Upstream } from "../hub/upstream.ts";
import { createSigner } from "./auth/create-signer.ts";
import type { Environment } from "./auth/environment.ts";
import { createHttpUpstream } from "./http-upstream.ts";
import type { KeyChange } from "./keys/key-ring.ts";
import { protocolOf, rulesOf } from "./kinds.ts";
import { createSandboxUpstream } from "./sandbox/upstream.ts";
import { UpstreamQueues } from "./upstream-queues.ts";
import { withQueue } from "./with-queue.ts";

/** The surroundings of upstreams. */
interface UpstreamSettings {
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
  const { tools, output } = rulesOf(config);
  return withToolForms(withOutputLimit(createPlainUpstream(name, config, settings), output), tools);
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
