import { idTimeMs } from "../../../lib/ids.ts";
import type { UsageRow } from "../../entities/usage.ts";
import { firstIdAt } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";
import { type CountedInference, countUsage } from "../../write/rollups/count-usage.ts";
import type { CountedPart, FigureGroup, PartQuery } from "./part.ts";
import { stepStart } from "./steps.ts";

const COLUMNS = [
  ...(["id", "projectId", "keyId", "model", "upstream", "upstreamModel", "workload", "status", "errorReason"] as const),
  ...(["startedAt", "streamed", "deviation", "inputTokens", "cacheReadTokens", "cacheWriteTokens"] as const),
  ...(["outputTokens", "reasoningTokens", "costNanos", "baseCostNanos", "cacheSavedNanos"] as const),
  ...(["latencyMs", "timeToFirstTokenMs"] as const),
];

/**
 * Reads calls from their own rows, to the millisecond, and counts them as the rollups are counted. Resolves to undefined if
 * there are more than `maxRows`.
 */
export async function readMinutes(store: Store, query: PartQuery, maxRows: number): Promise<CountedPart[] | undefined> {
  const rows: CountedInference[] = await store
    .query()
    .selectFrom("Inference")
    .select(COLUMNS)
    .where("projectId", "=", query.projectId)
    .where("id", ">=", firstIdAt(query.fromMs))
    .where("id", "<", firstIdAt(query.toMs))
    .limit(maxRows + 1)
    .execute();
  if (rows.length > maxRows) return undefined;
  const steps = Map.groupBy(rows, ({ id, startedAt }) => {
    const timeMs = idTimeMs(id) ?? startedAt.getTime();
    return query.stepMs === undefined ? query.fromMs : stepStart(timeMs, query.stepMs);
  });
  return [...steps].flatMap(([startMs, inferences]) =>
    countUsage("day", inferences).map((row) => ({ ...row, startMs, group: GROUPS[query.group](row) })),
  );
}

const GROUPS: Record<FigureGroup, (row: UsageRow) => string[]> = {
  none: () => [],
  model: ({ model }) => [model],
  key: ({ keyId }) => [keyId],
  workload: ({ workload }) => [workload],
  deployment: ({ upstream, upstreamModel }) => [upstream, upstreamModel],
};
