import { create, fromJson } from "@bufbuild/protobuf";
import { BillingFactsSchema, UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { CallFactsSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { whenAvailable } from "../../hub/when-available.ts";
import type { InferenceStatus, ListedInference, ListInferences } from "../../inference/ports.ts";
import { withTimeout } from "../database/with-timeout.ts";
import type { InferenceRow } from "../entities/inference.ts";
import type { Store } from "../types/store.ts";
import { listInferences } from "./queries/list-inferences.ts";

/** The time that a list waits for what this process has recorded to be written, and for the database. */
const WRITE_MS = 1000;
const READ_MS = 10_000;

/**
 * Creates the list of inferences. Whoever asks right after a call shall find it: what was recorded is written before,
 * where that takes no longer than a second.
 */
export function createInferenceList(store: Store, flush: (limitMs: number) => Promise<void>): ListInferences {
  return async (query) => {
    const { projectId, keyId, model, workload, status, sessionId, endUserId, tag, from, to, limit, after } = query;
    await flush(WRITE_MS);
    const reading = withTimeout(
      listInferences(store, {
        projectId,
        limit,
        cursor: after,
        from,
        to,
        filter: { keyId, model, workload, status },
        facts: { sessionId, endUserId, callTag: tag },
      }),
      READ_MS,
    );
    const page = await whenAvailable(reading, "the database cannot be asked for inferences");
    return { inferences: page.rows.map(toListed), next: page.next };
  };
}

function toListed(row: InferenceRow): ListedInference {
  const { id, model, startedAt, latencyMs, keyId, workload } = row;
  return {
    id,
    model,
    startedAt,
    latencyMs,
    keyId,
    workload,
    // Rows from before there was a policy do not name who answered: it was base.
    servedModel: row.servedModel || model,
    status: row.status as InferenceStatus,
    facts: getFacts(row),
    usage: getUsage(row),
    costNanos: row.costNanos ?? undefined,
    costGaps: row.costGaps ?? [],
    errorReason: row.errorReason ?? "",
  };
}

function getFacts({ sessionId, sessionSource, parentSessionId, endUserId, tags }: InferenceRow) {
  if (sessionId == null && parentSessionId == null && endUserId == null && tags == null) return undefined;
  return create(CallFactsSchema, {
    sessionId: sessionId ?? "",
    sessionSource: sessionSource ?? "",
    parentSessionId: parentSessionId ?? "",
    endUserId: endUserId ?? "",
    tags: { ...tags },
  });
}

function getUsage(row: InferenceRow) {
  if (row.inputTokens == null && row.outputTokens == null) return undefined;
  return create(UsageSchema, {
    inputTokens: row.inputTokens ?? 0,
    cacheReadTokens: row.cacheReadTokens ?? 0,
    cacheWriteTokens: row.cacheWriteTokens ?? 0,
    cacheWrite5mTokens: row.cacheWrite5mTokens ?? 0,
    cacheWrite1hTokens: row.cacheWrite1hTokens ?? 0,
    outputTokens: row.outputTokens ?? 0,
    ...(row.reasoningTokens != null && { reasoningTokens: row.reasoningTokens }),
    estimated: row.usageEstimated,
    ...(row.billing != null && { billing: fromJson(BillingFactsSchema, row.billing) }),
  });
}
