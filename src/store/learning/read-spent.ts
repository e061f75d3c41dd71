import type { Spent } from "../../hub/outlook.ts";
import type { WorkloadKey } from "../../learning/workload.ts";
import type { TimeRange } from "../read/queries/range.ts";
import { readMeasures } from "../read/queries/read-measures.ts";
import type { Store } from "../types/store.ts";
import { readShadowUsage } from "../usage/read-shadow-usage.ts";

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Returns the range of the last 30 days. */
function lastDays(): TimeRange {
  const to = new Date();
  return { from: new Date(to.getTime() - DAYS * DAY_MS), to };
}

/**
 * Reads the calls of a workload in the last 30 days, and what they and its trials cost; undefined where there were
 * none.
 */
export async function readSpent(store: Store, { projectId, model }: WorkloadKey): Promise<Spent | undefined> {
  const range = lastDays();
  const [usage] = await readMeasures(store, {
    projectId,
    range,
    bucket: "none",
    by: [],
    filter: { model },
    measures: ["calls", "routed.calls", "priced.cost", "priced.baseCost"],
  });
  if (usage === undefined) return undefined;
  const shadow = await readShadowUsage(store, { projectId, model, ...range });
  const {
    calls,
    "routed.calls": routedCalls,
    "priced.cost": costNanos,
    "priced.baseCost": baseCostNanos,
  } = usage.values;
  const { trials = 0, checks = 0, costNanos: trialNanos = null } = shadow ?? {};
  return { calls, routedCalls, costNanos, baseCostNanos, trialNanos, trials, checks };
}
