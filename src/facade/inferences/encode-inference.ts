import { durationMs, timestampDate } from "@bufbuild/protobuf/wkt";
import type { BillingFacts, Usage } from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceStatusSchema, type InferenceSummary } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { JsonObject } from "../../formats/shared/json.ts";
import { enumName } from "../../lib/protobuf/enum-name.ts";
import { NANOS_PER_USD } from "../../vocabulary/money.ts";

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
    cost_gaps: [...inference.costGaps],
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
    ...(usage.billing !== undefined && { billing: encodeBilling(usage.billing) }),
  };
}

/** Encodes what the upstream told beside its counts; what it did not tell is left out. */
function encodeBilling(billing: BillingFacts): JsonObject {
  const members = {
    service_tier: billing.serviceTier,
    speed: billing.speed,
    region: billing.region,
    cache_write_12h_tokens: billing.cacheWrite12hTokens,
    audio_input_tokens: billing.audioInputTokens,
    audio_cache_read_tokens: billing.audioCacheReadTokens,
    audio_output_tokens: billing.audioOutputTokens,
    image_input_tokens: billing.imageInputTokens,
    image_output_tokens: billing.imageOutputTokens,
  };
  const present = Object.entries(members).filter(([, value]) => value !== "" && value !== 0);
  const { toolCalls, otherModels, reportedCostNanos } = billing;
  return {
    ...Object.fromEntries(present),
    ...(Object.keys(toolCalls).length > 0 && { tool_calls: { ...toolCalls } }),
    ...(otherModels.length > 0 && { other_models: [...otherModels] }),
    ...(reportedCostNanos !== undefined && { reported_cost_usd: Number(reportedCostNanos) / NANOS_PER_USD }),
  };
}
