import { create } from "@bufbuild/protobuf";
import { Dialect, Role, UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import type { InferenceRecord } from "../../../src/inference/ports.ts";
import { newId } from "../../../src/lib/ids.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";

const PROMPT = "All of this text stands for a prompt of ordinary length, which differs from others. ".repeat(30);
const ANSWER = "And this is what a model might have answered to it. ".repeat(10);
let count = 0;

/** Makes the record of an inference that takes up about 4 KB in the spool: 3 KB of bodies, 1 KB of facts. */
export function benchRecord(): InferenceRecord {
  const id = newId();
  count += 1;
  const usage = create(UsageSchema, { inputTokens: 700, outputTokens: 150 });
  const text = (value: string) => ({ kind: { case: "text" as const, value: { text: value } } });
  return {
    id,
    projectId: DEFAULT_PROJECT.id,
    keyId: "abcdefghijkl",
    dialect: Dialect.CHAT,
    streamed: false,
    model: "bench",
    servedModel: "bench",
    upstream: "up",
    upstreamModel: "bench",
    upstreamRequestId: `chatcmpl-${count}`,
    workload: "",
    status: "completed",
    startedAt: new Date(),
    latencyMs: 812.25,
    timeToFirstTokenMs: 240.5,
    usage,
    isEstimated: false,
    costNanos: 2_375_000,
    baseCostNanos: 2_375_000,
    saved: {},
    cacheSavedNanos: 0,
    attempts: [
      {
        upstream: "up",
        upstreamModel: "bench",
        upstreamRequestId: `chatcmpl-${count}`,
        role: "primary",
        startedAt: new Date(),
        startedAfterMs: 0.5,
        firstEventMs: 240,
        latencyMs: 811.75,
        outcome: "completed",
        isWinner: true,
        usage,
        isEstimated: false,
        costNanos: 2_375_000,
        losses: [],
        propensity: 1,
      },
    ],
    stored: false,
    input: createHubInput({
      model: "attune/bench",
      dialect: Dialect.CHAT,
      messages: [{ role: Role.USER, content: [text(`${count}: ${PROMPT}`)] }],
    }),
    output: create(GenerateResponseSchema, {
      id,
      model: "attune/bench",
      content: [text(ANSWER)],
      finished: { reason: FinishReason.STOP, rawReason: "stop", usage },
      serving: { upstream: "up" },
    }),
  };
}
