import { idTimeMs } from "../../../lib/ids.ts";
import { columnsOf } from "../../database/columns.ts";
import { readRows } from "../../database/executor.ts";
import { Inference } from "../../entities/inference.ts";
import type { UsageRow } from "../../entities/usage.ts";
import { firstIdAt } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";
import { COUNTED, type CountedInference, countUsage } from "../../write/rollups/count-usage.ts";
import type { CountedPart, FigureGroup, PartQuery } from "./part.ts";
import { stepStart } from "./steps.ts";

const PROPERTIES: ReadonlySet<string> = new Set(COUNTED);

/**
 * Reads calls from their own rows, to the millisecond, and counts them as the rollups are counted. Resolves to
 * undefined if there are more than `maxRows`.
 */
export async function readMinutes(store: Store, query: PartQuery, maxRows: number): Promise<CountedPart[] | undefined> {
  // Without the query builder, whose conversions take longer than all else here.
  const columns = columnsOf(store.fork(), Inference).filter(({ property }) => PROPERTIES.has(property));
  const names = columns.map(({ name, property }) => `${name} as "${property}"`).join(", ");
  const sql = `select ${names} from inference where project_id = ? and id >= ? and id < ? limit ?`;
  const values = [query.projectId, firstIdAt(query.fromMs), firstIdAt(query.toMs), maxRows + 1];
  const rows = await readRows<Record<string, unknown>>(store, sql, values);
  if (rows.length > maxRows) return undefined;
  const inferences = rows.map((row) => {
    const entries = columns.map(({ property, fromDatabase }) => [property, fromDatabase(row[property])]);
    return Object.fromEntries(entries) as CountedInference;
  });
  const steps = Map.groupBy(inferences, ({ id, startedAt }) => {
    const timeMs = idTimeMs(id) ?? startedAt.getTime();
    return query.stepMs === undefined ? query.fromMs : stepStart(timeMs, query.stepMs);
  });
  return [...steps].flatMap(([startMs, own]) =>
    countUsage("day", own).map((row) => ({ ...row, startMs, group: GROUPS[query.group](row) })),
  );
}

const GROUPS: Record<FigureGroup, (row: UsageRow) => string[]> = {
  none: () => [],
  model: ({ model }) => [model],
  servedModel: ({ servedModel }) => [servedModel],
  key: ({ keyId }) => [keyId],
  workload: ({ workload }) => [workload],
  deployment: ({ upstream, upstreamModel }) => [upstream, upstreamModel],
};
