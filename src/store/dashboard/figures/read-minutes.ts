import type { Source } from "../../../figures/measure-row.ts";
import { HISTOGRAMS, type HistogramName, type Measure, SUMS, type SumName } from "../../../figures/measures.ts";
import { Tally } from "../../../figures/tally.ts";
import { idTimeMs } from "../../../lib/ids.ts";
import { listColumns } from "../../database/columns.ts";
import { readRows } from "../../database/executor.ts";
import { Inference } from "../../entities/inference.ts";
import type { UsageRow } from "../../entities/usage.ts";
import { DIMENSIONS, readMeasures } from "../../read/queries/read-measures.ts";
import { firstIdAt } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";
import { COUNTED, type CountedInference, countUsage } from "../../write/rollups/count-usage.ts";
import type { StepsQuery, StepTally } from "./read-hours.ts";
import { HOUR_MS, stepStart } from "./steps.ts";

/** Calls that are read one by one at most: about a tenth of a second of work. */
const MAX_CALLS_READ = 20_000;

const PROPERTIES: ReadonlySet<string> = new Set(COUNTED);

/**
 * Reads calls from their own rows, to the millisecond, and counts them as the rollups are counted. Resolves to
 * undefined if there are more than `maxRows`, or the rollups count calls of these hours that were deleted since.
 */
export async function readMinutes<Name extends Measure>(
  store: Store,
  { projectId, fromMs, toMs, stepMs, by, measures, status, model }: StepsQuery<Name>,
  maxRows = MAX_CALLS_READ,
): Promise<StepTally<Name>[] | undefined> {
  // Before the rows: calls that come meanwhile are among these alone.
  const counted = await countInRollups(store, { projectId, fromMs, toMs });
  // Without the query builder, whose conversions take longer than all else here.
  const columns = listColumns(store.fork(), Inference).filter(({ property }) => PROPERTIES.has(property));
  const names = columns.map(({ name, property }) => `${name} as "${property}"`).join(", ");
  const wanted = Object.entries({ status, model }).filter(([, value]) => value !== undefined);
  const also = wanted.map(([column]) => ` and ${column} = ?`).join("");
  const sql = `select ${names} from inference where project_id = ? and id >= ? and id < ?${also} limit ?`;
  const values = [projectId, firstIdAt(fromMs), firstIdAt(toMs), ...wanted.map(([, value]) => value), maxRows + 1];
  const rows = await readRows<Record<string, unknown>>(store, sql, values);
  if (rows.length > maxRows) return undefined;
  if (counted.calls > 0 && (await countRows(store, { projectId, ...counted })) < counted.calls) return undefined;
  const inferences = rows.map((row) => {
    const entries = columns.map(({ property, fromDatabase }) => [property, fromDatabase(row[property])]);
    return Object.fromEntries(entries) as CountedInference;
  });
  const steps = Map.groupBy(inferences, ({ id, startedAt }) =>
    stepMs === undefined ? fromMs : stepStart(idTimeMs(id) ?? startedAt.getTime(), stepMs),
  );
  const found = new Map<string, StepTally<Name>>();
  for (const [startMs, own] of [...steps].sort(([one], [other]) => one - other)) {
    for (const row of countUsage("day", own)) {
      const group = by.map((dimension) => row[DIMENSIONS[dimension]]);
      const key = JSON.stringify([startMs, group]);
      const step = found.get(key) ?? { startMs, group, tally: new Tally(measures) };
      found.set(key, step);
      step.tally.add({
        sums: pick<SumName, number>(row, SUMS),
        histograms: pick<HistogramName, string>(row, HISTOGRAMS),
      });
    }
  }
  return [...found.values()];
}

type TimeOfProject = Pick<StepsQuery<never>, "projectId" | "fromMs" | "toMs">;

/** Counts the calls of the hours that a time touches, in the rollups; returns the count with these hours. */
async function countInRollups(store: Store, { projectId, ...time }: TimeOfProject) {
  const [fromMs, toMs] = [stepStart(time.fromMs, HOUR_MS), stepStart(time.toMs - 1, HOUR_MS) + HOUR_MS];
  const range = { from: new Date(fromMs), to: new Date(toMs) };
  const [all] = await readMeasures(store, { projectId, range, bucket: "none", by: [], measures: ["calls"] });
  return { calls: all?.values.calls ?? 0, fromMs, toMs };
}

/** Counts the rows of calls of a time. */
export async function countRows(store: Store, { projectId, fromMs, toMs }: TimeOfProject): Promise<number> {
  const sql = "select count(*) as calls from inference where project_id = ? and id >= ? and id < ?";
  const values = [projectId, firstIdAt(fromMs), firstIdAt(toMs)];
  const [row] = await readRows<{ calls: number | string }>(store, sql, values);
  return Number(row?.calls ?? 0);
}

/** Returns what a row has of sums or histograms: those of calls with another status are not in it. */
function pick<Key extends string, Value>(row: UsageRow, sources: Readonly<Record<Key, Source>>) {
  const entries = Object.entries<Source>(sources).filter(([, { of }]) => of === undefined || of === row.status);
  return Object.fromEntries(entries.map(([name, { property }]) => [name, row[property as keyof UsageRow]])) as Partial<
    Record<Key, Value>
  >;
}
