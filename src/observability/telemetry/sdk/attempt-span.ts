import { type Attributes, SpanKind } from "@opentelemetry/api";
import { ReasoningEffortSchema, type Usage } from "../../../../gen/attune/content/v1/content_pb.ts";
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
  const operation = names.getOperation(inference.input);
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
      ...attemptAttributes(attempt, inference),
      ...(isWinner ? answerAttributes(inference) : outcome === "failed" && { [names.FINISH_REASONS]: ["error"] }),
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
    [names.REQUEST_TOP_K]: input.topK,
    [names.STOP_SEQUENCES]: input.stopSequences.length === 0 ? undefined : [...input.stopSequences],
    [names.REASONING_LEVEL]: reasoningLevel(input),
    [names.OUTPUT_TYPE]: outputType(input),
    ...(input.extension && samplingAttributes(input.extension.json)),
  };
}

function reasoningLevel({ reasoning }: SummarizedInference["input"]): string | undefined {
  return reasoning?.effort ? enumName(ReasoningEffortSchema, reasoning.effort) : undefined;
}

function outputType({ outputFormat }: SummarizedInference["input"]): string | undefined {
  const form = outputFormat?.kind.case;
  return form === undefined ? undefined : form === "text" ? "text" : "json";
}

/** Members that go as they are, which the hub does not model, and their names in the conventions. */
const SAMPLING = [
  ["seed", names.REQUEST_SEED],
  ["frequency_penalty", names.FREQUENCY_PENALTY],
  ["presence_penalty", names.PRESENCE_PENALTY],
] as const;

function samplingAttributes(json: string): Attributes {
  const wanted = SAMPLING.filter(([member]) => json.includes(`"${member}"`));
  if (wanted.length === 0) return {};
  const members = JSON.parse(json) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    wanted.map(([member, name]) => [name, typeof members[member] === "number" ? members[member] : undefined]),
  );
}

function attemptAttributes(attempt: SummarizedAttempt, { streamed }: SummarizedInference): Attributes {
  const { upstream, upstreamModel, upstreamRequestId, role, firstEventMs, outcome, isWinner, error } = attempt;
  return {
    [names.REQUEST_MODEL]: upstreamModel,
    // The first event of an answer that is not streamed is its last one too.
    [names.TIME_TO_FIRST_CHUNK]: streamed && firstEventMs !== undefined ? firstEventMs / 1000 : undefined,
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

/** The answer is known by the inference's id to callers, and to the feedback on it. */
function answerAttributes({ id, input, output }: SummarizedInference): Attributes {
  const { finished, serving } = output;
  const reason = finished === undefined ? "error" : enumName(FinishReasonSchema, finished.reason);
  return {
    [names.RESPONSE_ID]: id,
    [names.RESPONSE_MODEL]: serving?.upstreamModel || undefined,
    [names.FINISH_REASONS]: input.embedding === undefined ? [reason] : undefined,
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
    [names.CACHE_CREATION_TOKENS]: cacheWriteTokens,
    [names.OUTPUT_TOKENS]: outputTokens,
    [names.REASONING_TOKENS]: reasoningTokens,
    "attune.usage.estimated": estimated || undefined,
  };
}
