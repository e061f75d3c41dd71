import { create } from "@bufbuild/protobuf";
import { durationFromMs, durationMs } from "@bufbuild/protobuf/wkt";
import { type ErrorDetail, ErrorDetailSchema } from "../../gen/attune/error/v1/error_pb.ts";
import { InferenceError } from "./error.ts";

/** Encodes a failure's facts; its cause stays behind. */
export function errorToDetail(error: InferenceError): ErrorDetail {
  const { facts } = error;
  return create(ErrorDetailSchema, {
    reason: error.reason,
    retryable: error.shouldRetry,
    param: facts.param?.toWellFormed() ?? "",
    upstreamStatus: facts.upstreamStatus ?? 0,
    upstream: facts.upstream ?? "",
    upstreamRequestId: facts.upstreamRequestId?.toWellFormed() ?? "",
    upstreamCode: facts.upstreamCode?.toWellFormed() ?? "",
    inferenceId: facts.inferenceId ?? "",
    promptTokens: facts.promptTokens ?? 0,
    maxPromptTokens: facts.maxPromptTokens ?? 0,
    upstreamHeaders: { ...facts.upstreamHeaders },
    refusedLosses: facts.refusedLosses?.map((place) => place.toWellFormed()) ?? [],
    ...(facts.retryAfterMs === undefined ? {} : { retryAfter: durationFromMs(facts.retryAfterMs) }),
    ...(facts.usage === undefined ? {} : { usage: facts.usage }),
    ...(facts.quota === undefined ? {} : { quota: facts.quota }),
  });
}

/** Decodes a failure that came over RPC. */
export function errorFromDetail(message: string, detail: ErrorDetail): InferenceError {
  const filled = (text: string): string | undefined => (text === "" ? undefined : text);
  const counted = (tokens: number): number | undefined => (tokens === 0 ? undefined : tokens);
  return new InferenceError(detail.reason, message, {
    param: filled(detail.param),
    upstreamStatus: detail.upstreamStatus === 0 ? undefined : detail.upstreamStatus,
    upstream: filled(detail.upstream),
    upstreamRequestId: filled(detail.upstreamRequestId),
    upstreamCode: filled(detail.upstreamCode),
    inferenceId: filled(detail.inferenceId),
    promptTokens: counted(detail.promptTokens),
    maxPromptTokens: counted(detail.maxPromptTokens),
    upstreamHeaders: detail.upstreamHeaders,
    refusedLosses: detail.refusedLosses.length === 0 ? undefined : detail.refusedLosses,
    shouldRetry: detail.retryable,
    retryAfterMs: detail.retryAfter === undefined ? undefined : durationMs(detail.retryAfter),
    usage: detail.usage,
    quota: detail.quota,
  });
}
