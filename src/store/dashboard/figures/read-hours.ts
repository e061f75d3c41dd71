import { sumRollups } from "../../read/queries/sum-rollups.ts";
import { GROUP_COLUMNS } from "../../read/queries/usage.ts";
import type { Store } from "../../types/store.ts";
import { SUMMED, type Summed } from "./measure.ts";
import type { CountedPart, PartQuery } from "./part.ts";
import { bucketOf } from "./steps.ts";

/** The columns of sums, by their names in the entity. */
const COLUMNS = SUMMED.map((name) => [name, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] as const);

/** Reads calls from the rollups, which know whole hours: the range begins and ends with the hours that it touches. */
export async function readHours(store: Store, query: PartQuery): Promise<CountedPart[]> {
  const { projectId, fromMs, toMs, stepMs, group } = query;
  const bucket = stepMs === undefined ? "none" : bucketOf(stepMs);
  const columns = GROUP_COLUMNS[group];
  const rows = await sumRollups(store, {
    ...{ rollup: "usage", projectId, range: { from: new Date(fromMs), to: new Date(toMs) }, bucket },
    group: [...columns, "status"],
    sums: [...COLUMNS.map(([, column]) => column), "latency_micros"],
    histograms: ["latencies", "first_tokens"],
  });
  return rows.map(({ start, group: names, sums, histograms }) => {
    const counted = Object.fromEntries(COLUMNS.map(([name, column]) => [name, sums[column] ?? 0]));
    return {
      ...(counted as Record<Summed, number>),
      startMs: start?.getTime() ?? fromMs,
      group: names.slice(0, columns.length),
      status: names[columns.length] ?? "",
      latencyMicros: sums["latency_micros"] ?? 0,
      latencies: histograms["latencies"] ?? "",
      firstTokens: histograms["first_tokens"] ?? "",
    };
  });
}
