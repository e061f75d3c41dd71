import { durationMs, timestampDate } from "@bufbuild/protobuf/wkt";
import type { Usage } from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceStatusSchema, type InferenceSummary } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { JsonObject } from "../../formats/shared/json.ts";
import { NANOS_PER_USD } from "../../hub/money.ts";
import { enumName } from "../../lib/protobuf/enum-name.ts";

/** Encodes an inference of a list; what is not known is null. */
export function encodeInference(inference: InferenceSummary): JsonObject {
  const { id, model, servedModel, status, startedAt, latency, keyId, workload, facts, usage, costNanos } = inference;
  return {
    id,
    object: "inference",
    model,
    served_model: servedModel,
    status: enumName(InferenceStatusSchema, status),
    error: inference.errorReason === "" ? null : inference.errorReason,
    started_at: startedAt === undefined ? null : timestampDate(startedAt).toISOString(),
    latency_ms: latency === undefined ? null : durationMs(latency),
    key_id: keyId,
    workload: orNull(workload),
    session: orNull(facts?.sessionId),
    parent_session: orNull(facts?.parentSessionId),
    user: orNull(facts?.endUserId),
    tags: { ...facts?.tags },
    usage: usage === undefined ? null : encodeUsage(usage),
    cost_usd: costNanos === undefined ? null : Number(costNanos) / NANOS_PER_USD,
  };
}

function orNull(text: string | undefined): string | null {
  return text === undefined || text === "" ? null : text;
}

function encodeUsage(usage: Usage): JsonObject {
  return {
    input_tokens: usage.inputTokens,
    cache_read_tokens: usage.cacheReadTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    output_tokens: usage.outputTokens,
    reasoning_tokens: usage.reasoningTokens ?? null,
    estimated: usage.estimated,
  };
}
