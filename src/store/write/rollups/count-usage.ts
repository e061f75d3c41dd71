import { countLatency, encodeHistogram, type Histogram } from "../../../figures/histogram.ts";
import { NO_SAVINGS, SAVED_COLUMNS, SAVING_KINDS } from "../../../hub/saving-kinds.ts";
import type { InferenceRow } from "../../entities/inference.ts";
import type { UsageRow } from "../../entities/usage.ts";
import { getPeriod, type Period } from "../../types/period.ts";
import { addCall, LARGEST_COST, NO_CALLS } from "./add-call.ts";
import { compareKeys } from "./compare-keys.ts";

type Counts = { -readonly [Name in keyof UsageRow]: UsageRow[Name] } & { total: Histogram; first: Histogram };

/** The members of an inference that are counted, or that it is counted by. */
export const COUNTED = [
  ...(["id", "projectId", "keyId", "model", "servedModel", "upstream", "upstreamModel", "workload"] as const),
  ...(["status", "errorReason", "startedAt", "streamed", "deviation", "inputTokens", "cacheReadTokens"] as const),
  ...(["cacheWriteTokens", "outputTokens", "reasoningTokens", "usageEstimated", "costNanos"] as const),
  ...(["baseCostNanos", "cacheSavedNanos", "saved", "latencyMs", "timeToFirstTokenMs"] as const),
];

/** The counted members of an inference. */
export type CountedInference = Pick<InferenceRow, (typeof COUNTED)[number]>;

/** Properties that make up the key of a rollup of usage, in its order. */
const USAGE_KEY = [
  "projectId",
  "period",
  "keyId",
  "model",
  "servedModel",
  "upstream",
  "upstreamModel",
  "workload",
  "status",
  "errorReason",
] as const;

/** Counts inferences by period and all else in the key. The rows come in the order of their keys. */
export function countUsage(period: Period, inferences: readonly CountedInference[]): UsageRow[] {
  const groups = new Map<string, Counts>();
  let counts: Counts | undefined;
  for (const inference of inferences) {
    const number = getPeriod(period, inference.id, inference.startedAt);
    // To put a key into words takes as long as all else here.
    if (counts === undefined || !isOfGroup(counts, inference, number)) {
      const { projectId, keyId, model, upstream, upstreamModel, workload, status, errorReason } = inference;
      const served = getServedModel(inference);
      const names = [projectId, number, keyId, model, served, upstream, upstreamModel, workload, status, errorReason];
      const key = JSON.stringify(names);
      counts = groups.get(key) ?? nothing(inference, number);
      groups.set(key, counts);
    }
    add(counts, inference);
  }
  const rows = [...groups.values()].map(({ total, first, ...row }) => ({
    ...row,
    latencies: encodeHistogram(total),
    firstTokens: encodeHistogram(first),
  }));
  return rows.sort((a, b) => compareKeys(USAGE_KEY, a, b));
}

/** Returns whether an inference has the key of the counts: most have that of the one before. */
function isOfGroup(counts: Counts, inference: CountedInference, period: number): boolean {
  return (
    counts.period === period &&
    counts.keyId === inference.keyId &&
    counts.model === inference.model &&
    counts.servedModel === getServedModel(inference) &&
    counts.status === inference.status &&
    counts.upstream === inference.upstream &&
    counts.upstreamModel === inference.upstreamModel &&
    counts.workload === inference.workload &&
    counts.projectId === inference.projectId &&
    counts.errorReason === (inference.errorReason ?? "")
  );
}

function nothing(inference: CountedInference, period: number): Counts {
  const { projectId, keyId, model, upstream, upstreamModel, workload, status, errorReason } = inference;
  return {
    projectId,
    period,
    keyId,
    model,
    upstream,
    upstreamModel,
    workload,
    status,
    errorReason: errorReason ?? "",
    servedModel: getServedModel(inference),
    ...NO_CALLS,
    streamedCalls: 0,
    routedCalls: 0,
    baseCostNanos: 0,
    cacheSavedNanos: 0,
    ...NO_SAVINGS,
    latencyMicros: 0,
    latencies: "",
    firstTokenCalls: 0,
    firstTokenMicros: 0,
    firstTokens: "",
    total: [],
    first: [],
  };
}

function add(counts: Counts, inference: CountedInference): void {
  addCall(counts, inference);
  if (inference.streamed) counts.streamedCalls += 1;
  if (isOfAnother(inference)) counts.routedCalls += 1;
  // Where only one of the two is known, nothing can be said to be saved.
  const baseCostNanos = (inference.costNanos === null ? null : inference.baseCostNanos) ?? inference.costNanos ?? 0;
  counts.baseCostNanos = Math.min(counts.baseCostNanos + baseCostNanos, LARGEST_COST);
  counts.cacheSavedNanos = bounded(counts.cacheSavedNanos + (inference.cacheSavedNanos ?? 0));
  for (const kind of SAVING_KINDS) {
    const column = SAVED_COLUMNS[kind];
    counts[column] = bounded(counts[column] + (inference.saved?.[kind] ?? 0));
  }
  counts.latencyMicros += Math.round(inference.latencyMs * 1000);
  const firstTokenMs = inference.timeToFirstTokenMs ?? undefined;
  if (firstTokenMs === undefined) return;
  counts.firstTokenCalls += 1;
  counts.firstTokenMicros += Math.round(firstTokenMs * 1000);
  countLatency(counts.first, firstTokenMs);
}

function bounded(nanos: number): number {
  return Math.max(-LARGEST_COST, Math.min(nanos, LARGEST_COST));
}

/** Rows that do not name who answered are from before there was a choice: it was the model that was asked for. */
function getServedModel({ model, servedModel }: Pick<CountedInference, "model" | "servedModel">): string {
  return servedModel || model;
}

/** Returns whether another model has answered than was asked for; the best of several may be the base model's own. */
function isOfAnother({ deviation, model, servedModel }: CountedInference): boolean {
  return deviation === "routed" || (deviation === "best_of_n" && servedModel !== model);
}
