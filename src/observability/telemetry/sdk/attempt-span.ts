import { type Attributes, SpanKind } from "@opentelemetry/api";
import type { Usage } from "../../../../gen/attune/content/v1/content_pb.ts";
import { ErrorReasonSchema } from "../../../../gen/attune/error/v1/error_pb.ts";
import { EmbeddingEncodingSchema, FinishReasonSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { SummarizedAttempt, SummarizedInference } from "../../../hub/request-summary.ts";
import { enumName } from "../../../lib/protobuf/enum-name.ts";
import type { Content, Peer } from "../telemetry.ts";
import { contentAttributes } from "./content-attributes.ts";
import * as names from "./names.ts";
import type { EndedSpan } from "./span-writer.ts";
import type { TracePlace } from "./trace-context.ts";

/** An attempt of an inference, with its number from 0. */
interface NumberedAttempt {
  readonly inference: SummarizedInference;
  readonly attempt: SummarizedAttempt;
  readonly position: number;
  /** Texts of prompt and answer; undefined for none. */
  readonly content: Content | undefined;
}

/** Makes the span of a call of an upstream, within the span of its request. */
export function attemptSpan(
  { inference, attempt, position, content }: NumberedAttempt,
  place: TracePlace,
  peer: Peer,
): EndedSpan {
  const { upstreamModel, startedAfterMs, firstTokenMs, latencyMs, outcome, isWinner } = attempt;
  const operation = names.operationOf(inference.input);
  const startMs = inference.startedAt.getTime() + startedAfterMs;
  return {
    name: `${operation} ${upstreamModel}`,
    kind: SpanKind.CLIENT,
    context: place.contextOf(place.attemptSpanId(position)),
    parent: place.context,
    startMs,
    endMs: startMs + latencyMs,
    attributes: {
      [names.OPERATION]: operation,
      ...peerAttributes(peer),
      ...requestAttributes(inference),
      ...attemptAttributes(attempt),
      ...(isWinner && answerAttributes(inference)),
      ...usageAttributes(attempt.usage),
      ...(content && contentAttributes(content)),
      [names.CONVERSATION]: inference.facts?.sessionId || undefined,
      "attune.inference.id": inference.id,
      "attune.attempt.position": position,
    },
    events: firstTokenMs === undefined ? [] : [{ name: "first token", atMs: startMs + firstTokenMs }],
    isError: outcome === "failed" || outcome === "refused",
  };
}

/** Returns what is told of the place that is called. */
export function peerAttributes({ provider, address, port }: Peer): Attributes {
  return {
    [names.PROVIDER]: provider,
    [names.SERVER_ADDRESS]: address,
    [names.SERVER_PORT]: port,
  };
}

function requestAttributes({ streamed, input }: SummarizedInference): Attributes {
  const { embedding } = input;
  if (embedding !== undefined) {
    const { dimensions, encoding } = embedding;
    return {
      [names.DIMENSIONS]: dimensions,
      [names.ENCODING_FORMATS]: encoding ? [enumName(EmbeddingEncodingSchema, encoding)] : undefined,
    };
  }
  return {
    [names.REQUEST_STREAM]: streamed,
    [names.REQUEST_MAX_TOKENS]: input.maxOutputTokens,
    [names.REQUEST_TEMPERATURE]: input.temperature,
    [names.REQUEST_TOP_P]: input.topP,
  };
}

function attemptAttributes(attempt: SummarizedAttempt): Attributes {
  const { upstream, upstreamModel, upstreamRequestId, role, firstEventMs, outcome, isWinner, error } = attempt;
  return {
    [names.REQUEST_MODEL]: upstreamModel,
    [names.TIME_TO_FIRST_CHUNK]: firstEventMs === undefined ? undefined : firstEventMs / 1000,
    [names.ERROR_TYPE]: error && enumName(ErrorReasonSchema, error.reason),
    [names.HTTP_STATUS]: error?.facts.upstreamStatus,
    "attune.upstream": upstream,
    "attune.upstream.request.id": upstreamRequestId || undefined,
    "attune.attempt.role": role,
    "attune.attempt.outcome": outcome,
    "attune.attempt.chosen": isWinner,
    "attune.losses": attempt.losses.length,
    "attune.cost.nano_usd": attempt.costNanos,
  };
}

function answerAttributes({ output }: SummarizedInference): Attributes {
  const { finished, serving } = output;
  return {
    [names.RESPONSE_MODEL]: serving?.upstreamModel || undefined,
    [names.FINISH_REASONS]: finished && [enumName(FinishReasonSchema, finished.reason)],
  };
}

/** Returns the tokens of a call. Those of the prompt are all of them here, cached ones too. */
export function usageAttributes(usage: Usage | undefined): Attributes {
  if (usage === undefined) return {};
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens, estimated } = usage;
  return {
    [names.INPUT_TOKENS]: inputTokens + cacheReadTokens + cacheWriteTokens,
    [names.CACHE_READ_TOKENS]: cacheReadTokens,
    [names.CACHE_WRITE_TOKENS]: cacheWriteTokens,
    [names.OUTPUT_TOKENS]: outputTokens,
    [names.REASONING_TOKENS]: reasoningTokens,
    "attune.usage.estimated": estimated || undefined,
  };
}
