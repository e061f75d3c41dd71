import type { Values } from "../../../figures/measures.ts";
import type { RowDimension } from "../../read/queries/read-measures.ts";
import type { Store } from "../../types/store.ts";
import type { StepsQuery } from "./read-hours.ts";
import { readTallies } from "./read-steps.ts";

/** The measures of workloads. */
const MEASURES = ["calls", "routed.calls", "priced.calls", "cost", "baseCost"] as const;

/** The query of calls by steps. */
interface CallStepsQuery extends Pick<StepsQuery<never>, "projectId" | "fromMs" | "toMs" | "model"> {
  readonly by: readonly RowDimension[];
  /** Steps below an hour are read from the calls themselves, others from the rollups. */
  readonly stepMs: number;
}

/** The calls of one group in one step. */
export interface CallStep {
  readonly startMs: number;
  /** The values of the dimensions. */
  readonly group: readonly string[];
  readonly values: Values<(typeof MEASURES)[number]>;
}

/** Calls over time. */
interface CallSteps {
  /** The steps: as asked for, or whole hours where calls are too many to read each, or deleted in part. */
  readonly stepMs: number;
  /** The start of the first step; hours are never split. */
  readonly fromMs: number;
  readonly groups: readonly CallStep[];
}

/** Reads what the calls of workloads add up to, by steps. */
export async function readCallSteps(store: Store, query: CallStepsQuery): Promise<CallSteps> {
  const { groups, ...read } = await readTallies(store, { ...query, measures: MEASURES });
  return { ...read, groups: groups.map(({ tally, ...step }) => ({ ...step, values: tally.values() })) };
}
