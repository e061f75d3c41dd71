import type { Source } from "../../../figures/measure-row.ts";
import {
  findParts,
  HISTOGRAMS,
  type HistogramName,
  type Measure,
  SUMS,
  type SumName,
  type Values,
} from "../../../figures/measures.ts";
import { Tally } from "../../../figures/tally.ts";
import { FACT_DIMENSIONS, type FactDimension } from "../../../figures/usage.ts";
import { toSnakeCase } from "../../../lib/letter-case.ts";
import type { SummedColumn } from "../../database/sum-column.ts";
import { PERIODS } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";
import type { Bucket, TimeRange } from "./range.ts";
import { sumRollups } from "./sum-rollups.ts";

/** The properties of rollups that calls are told apart by. */
export const DIMENSIONS = {
  project: "projectId",
  key: "keyId",
  model: "model",
  servedModel: "servedModel",
  upstream: "upstream",
  upstreamModel: "upstreamModel",
  workload: "workload",
  status: "status",
  reason: "errorReason",
} as const;

/** A dimension that all calls have. */
export type RowDimension = keyof typeof DIMENSIONS;

/** A dimension of calls. End users and tags are counted in a rollup of their own. */
export type CallDimension = RowDimension | FactDimension;

/** A question about calls. */
export interface MeasuresQuery<Name extends Measure> {
  readonly projectId: string;
  /** With the hours that it touches; with the days by end user or tag. */
  readonly range: TimeRange;
  readonly bucket: Bucket;
  /** End user and tag go with key and project alone. */
  readonly by: readonly CallDimension[];
  readonly measures: readonly Name[];
  /** Values, or lists of those that match; undefined matches any. */
  readonly filter?: Readonly<Partial<Record<CallDimension, string | readonly string[] | undefined>>>;
}

/** The calls of one group in one bucket. */
interface Group {
  /** When the bucket begins; undefined for that of the whole range. */
  readonly start: Date | undefined;
  /** The values of the dimensions. */
  readonly group: readonly string[];
}

/** The measures of one group in one bucket. */
export interface Measured<Name extends Measure> extends Group {
  readonly values: Values<Name>;
}

/**
 * Reads measures of calls by time and group, in that order, from the rollups; groups without calls are left out.
 * Without dimensions and with the bucket none it is the total, or nothing.
 */
export async function readMeasures<Name extends Measure>(
  store: Store,
  query: MeasuresQuery<Name>,
): Promise<Measured<Name>[]> {
  return (await readTallies(store, query)).map(({ tally, ...group }) => ({ ...group, values: tally.values() }));
}

/** Reads calls as readMeasures() does, for those who add groups up. */
export async function readTallies<Name extends Measure>(
  store: Store,
  { projectId, range, bucket, by, measures, filter = {} }: MeasuresQuery<Name>,
): Promise<(Group & { readonly tally: Tally<Name> })[]> {
  const parts = findParts(measures);
  const kind = FACT_DIMENSIONS.find((fact) => by.includes(fact) || filter[fact] !== undefined);
  const filters = Object.entries(filter).map(([name, value]) => [getColumn(name as CallDimension), value]);
  const rows = await sumRollups<SumName, HistogramName>(store, {
    rollup: kind === undefined ? "usage" : "usage_fact",
    projectId,
    bucket,
    range: kind === undefined ? range : wholeDays(range),
    group: by.map(getColumn),
    sums: pickColumns(parts.sums, SUMS),
    histograms: pickColumns(parts.histograms, HISTOGRAMS),
    filter: { ...Object.fromEntries(filters), ...(kind !== undefined && { kind }) },
  });
  return rows.map(({ start, group, ...counted }) => {
    const tally = new Tally(measures);
    tally.add(counted);
    return { start, group, tally };
  });
}

function pickColumns<Name extends string>(names: readonly Name[], sources: Readonly<Record<Name, Source>>) {
  const columns = names.map((name) => [name, { column: toSnakeCase(sources[name].property), of: sources[name].of }]);
  return Object.fromEntries(columns) as Record<Name, SummedColumn>;
}

/** Returns the column of a dimension, in rollups and, but for end users and tags, in inferences. */
export function getColumn(dimension: CallDimension): string {
  return dimension in DIMENSIONS ? toSnakeCase(DIMENSIONS[dimension as RowDimension]) : "name";
}

/** Returns the days that a time touches. */
export function wholeDays({ from, to }: TimeRange): TimeRange {
  const day = PERIODS.day;
  return {
    from: new Date(Math.floor(from.getTime() / day) * day),
    to: new Date(Math.ceil(to.getTime() / day) * day),
  };
}
