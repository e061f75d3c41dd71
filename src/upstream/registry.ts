import type { Config, UpstreamConfig } from "../config/config.ts";
import { withOutputLimit } from "../formats/shared/output-limit/with-output-limit.ts";
import { withToolForms } from "../formats/shared/tool-forms/with-tool-forms.ts";
import { withIgnoredFields } from "../formats/shared/with-ignored-fields.ts";
import { ErrorReason, InferenceError } from "../hub/error.ts";
import type { Upstream } from "../hub/upstream.ts";
import type { Semaphore } from "../lib/semaphore.ts";
import { createSigner } from "./auth/create-signer.ts";
import type { Environment } from "./auth/environment.ts";
import { createHttpUpstream } from "./http-upstream.ts";
import type { KeyChange } from "./keys/key-ring.ts";
import { getKindRules, getProtocol } from "./kinds.ts";
import { createSandboxUpstream } from "./sandbox/upstream.ts";
import { UpstreamQueues } from "./upstream-queues.ts";

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
  const { tools, output } = getKindRules(config);
  const ignored = config.kind === "sandbox" ? [] : (config.profile?.ignored ?? []);
  const plain = withIgnoredFields(createPlainUpstream(name, config, settings), ignored);
  return withToolForms(withOutputLimit(plain, output), tools);
}

function createPlainUpstream(
  name: string,
  config: UpstreamConfig,
  { environment, queues, onKey }: Required<UpstreamSettings>,
): Upstream {
  if (config.kind === "sandbox") return createSandboxUpstream(name);
  const { auth, queue, ...options } = config;
  const keyHeader = auth?.type === "header" ? auth.name : undefined;
  const upstream = createHttpUpstream(getProtocol(config), {
    name,
    ...options,
    keyHeader,
    signer: createSigner(config, environment),
    onKey: (change) => onKey(name, change),
  });
  return queue === undefined ? upstream : withQueue(upstream, queue, queues.permitsOf(name, queue.concurrentCalls));
}

/** The calls that an upstream takes at once, from one process. */
interface QueueRules {
  readonly concurrentCalls: number;
  /** The time that a call beyond them may wait. */
  readonly waitMs: number;
}

/** Has the calls beyond an upstream's limit wait for one of its `permits`, and lets projects take turns. */
export function withQueue(
  upstream: Upstream,
  { concurrentCalls, waitMs }: QueueRules,
  permits: Pick<Semaphore, "acquire" | "release" | "waiting">,
): Upstream {
  return {
    ...upstream,
    waiting: () => permits.waiting,
    prepare(input, target) {
      const call = upstream.prepare(input, target);
      return {
        ...call,
        async send(sink, signal) {
          const isFree = await permits.acquire({ signal, timeoutMs: waitMs, owner: target.projectId });
          if (!isFree) throw signal.aborted ? InferenceError.fromAbort(signal) : full(upstream.name, concurrentCalls);
          try {
            await call.send(sink, signal);
          } finally {
            permits.release();
          }
        },
      };
    },
  };
}

function full(name: string, concurrentCalls: number): InferenceError {
  const message =
    `the upstream '${name}' answers ${concurrentCalls} calls at a time, the maximum of its ` +
    "queue.concurrentCalls, and others wait before this one";
  return new InferenceError(ErrorReason.RATE_LIMITED, message, { upstream: name, isQueueFull: true });
}
