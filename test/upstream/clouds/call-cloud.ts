import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import type { FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { HttpUpstreamConfig } from "../../../src/config/config.ts";
import { InferenceError } from "../../../src/hub/error.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { createUpstreams } from "../../../src/upstream/registry.ts";
import { UpstreamQueues } from "../../../src/upstream/upstream-queues.ts";
import { sendCall } from "../../support/send-call.ts";
import { stubModel } from "../../support/stub-upstream.ts";

const timeouts = { connectMs: 40_000, firstByteMs: 40_000, idleMs: 40_000, totalMs: 40_000 };
const limits = { eventBytes: 1 << 20, eventValues: 10_000, answerBytes: 1 << 22 };

/** The settings of an upstream that a test gives; the others are what a configuration has by default. */
export type CloudConfig = Pick<HttpUpstreamConfig, "kind" | "baseUrl"> & Partial<HttpUpstreamConfig>;

/** Fills in the settings that a test does not give. */
export function cloudUpstream(config: CloudConfig): HttpUpstreamConfig {
  return { apiKey: undefined, ask: "as-called", timeouts, limits, headers: {}, ...config };
}

const HELLO = { role: Role.USER, content: [{ kind: { case: "text" as const, value: { text: "Say hello" } } }] };

function targetOf(model: string, streamed: boolean) {
  const deployment = { upstream: "up", model };
  return { model: stubModel, deployment, streamed, inferenceId: "0190-id", projectId: "p" };
}

/** Opens an upstream; each call of it says hello, and resolves to what came. */
export function openCloud(
  config: CloudConfig,
  environment: Readonly<Record<string, string>> = {},
  queues = new UpstreamQueues(),
) {
  const upstream = createUpstreams({ up: cloudUpstream(config) }, { environment, queues }).get("up");
  if (upstream === undefined) throw new Error("there is no upstream");
  return {
    async call(
      model: string,
      { streamed = false, signal = new AbortController().signal, betas = [] as string[] } = {},
    ) {
      const target = targetOf(model, streamed);
      const input = createHubInput({ model: "attune/m", messages: [HELLO], betas });
      let text = "";
      let finish: FinishReason | undefined;
      try {
        for await (const events of sendCall(upstream.prepare(input, target), signal)) {
          for (const { event } of events) {
            if (event.case === "blockDelta" && event.value.delta.case === "text") text += event.value.delta.value;
            if (event.case === "finished") finish = event.value.reason;
          }
        }
        return { text, finish, error: undefined };
      } catch (thrown) {
        return { text, finish: undefined, error: InferenceError.from(thrown) };
      }
    },
    /** Counts the tokens of the prompt; undefined if the upstream does not count. */
    async count(model: string) {
      const input = createHubInput({ model: "attune/m", messages: [HELLO] });
      const call = upstream.prepareCount?.(input, targetOf(model, false));
      return (await call?.send(new AbortController().signal))?.inputTokens;
    },
    close: () => upstream.close?.(),
  };
}
