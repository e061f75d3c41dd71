import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type InferenceSummary,
  InferenceSummarySchema,
  type ListInferencesRequest,
  ListInferencesRequestSchema,
  type ListInferencesResponse,
  ListInferencesResponseSchema,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../hub/error.ts";
import type { Principal } from "../hub/principal.ts";
import type { ListedInference, ListInferences } from "../inference/ports.ts";
import { createRecordValidator } from "../inference/run/validate.ts";
import { isUuid } from "../lib/ids.ts";
import { countFitting } from "./answer-limit.ts";
import { STATUS } from "./inference-status.ts";

const DEFAULT_PAGE = 100;

/** The states of inferences that have ended. */
const ENDED = ["completed", "failed", "canceled"] as const;

/** Lists what a caller may see. Throws InferenceError. */
export type AnswerList = (request: ListInferencesRequest, principal: Principal) => Promise<ListInferencesResponse>;

/** Creates the answer to ListInferences; model ids have the prefix. */
export function createAnswerList(list: ListInferences, prefix: string): AnswerList {
  const validate = createRecordValidator(ListInferencesRequestSchema);
  return async (request, principal) => {
    validate(request);
    const { sessionId, endUserId, model, workload, status, from, to, pageSize, pageToken } = request;
    if (pageToken !== "" && !isUuid(pageToken)) throw InferenceError.invalid("page_token", "is none of a page before");
    const [tag] = Object.entries(request.tags).map(([name, value]) => ({ name, value }));
    const { projectId, keyId, permissions = [] } = principal;
    const page = await list({
      projectId,
      keyId: permissions.includes("read:project") ? undefined : keyId,
      sessionId: sessionId || undefined,
      endUserId: endUserId || undefined,
      tag,
      model: model === "" ? undefined : withoutPrefix(model, prefix),
      workload,
      status: ENDED.find((name) => STATUS[name] === status),
      from: from && timestampDate(from),
      to: to && timestampDate(to),
      limit: pageSize || DEFAULT_PAGE,
      after: pageToken || undefined,
    });
    return create(ListInferencesResponseSchema, {
      inferences: page.inferences.map((inference) => toSummary(inference, prefix)),
      nextPageToken: page.next ?? "",
    });
  };
}

/** Ends a page where its caller's client takes no more. */
export function fitPage(page: ListInferencesResponse, limit: number): ListInferencesResponse {
  const inferences = page.inferences.slice(
    0,
    Math.max(1, countFitting(InferenceSummarySchema, page.inferences, limit)),
  );
  if (inferences.length === page.inferences.length) return page;
  return create(ListInferencesResponseSchema, { inferences, nextPageToken: inferences.at(-1)?.id ?? "" });
}

function withoutPrefix(model: string, prefix: string): string {
  return model.startsWith(`${prefix}/`) ? model.slice(prefix.length + 1) : model;
}

function toSummary(inference: ListedInference, prefix: string): InferenceSummary {
  const { model, servedModel, status, startedAt, latencyMs, costNanos, costGaps, facts, usage, ...others } = inference;
  return create(InferenceSummarySchema, {
    ...others,
    costGaps: [...costGaps],
    model: `${prefix}/${model}`,
    servedModel: `${prefix}/${servedModel}`,
    status: STATUS[status],
    startedAt: timestampFromDate(startedAt),
    latency: durationFromMs(Math.round(latencyMs)),
    ...(facts && { facts }),
    ...(usage && { usage }),
    ...(costNanos !== undefined && { costNanos: BigInt(costNanos) }),
  });
}
