import { restoreSnapshot, SnapshotError, type WorkloadSnapshot } from "../../learning/bandit/snapshot.ts";
import type { WorkloadState } from "../../learning/bandit/workload-state.ts";
import type { WorkloadKey } from "../../learning/workload.ts";
import type { Store } from "../types/store.ts";
import { improvementModels, type PlanOptions, planImprovement } from "./plan-improvement.ts";
import { readWorkload } from "./workload-reads.ts";

/** Recorded requests that each model is asked for, and all of them together at most. */
const CALLS_OF_MODEL = 100;
const MOST_CALLS = 1000;
const CENT_NANOS = 10_000_000;

/** Models that a workload knows nothing of while it knows others, and the money that finding out takes at most. */
export interface ImprovementOffer {
  readonly models: readonly string[];
  readonly calls: number;
  readonly mostNanos: number;
}

/**
 * Returns what an improvement of the models alone costs that nobody has tried yet, such as those that are new in the
 * catalog; undefined where there are none, where no judge has proved itself, and where the cost is not known.
 */
export async function offerImprovement(
  store: Store,
  key: WorkloadKey,
  options: PlanOptions,
): Promise<ImprovementOffer | undefined> {
  const learned = (await readWorkload(store, key))?.learned;
  const models = learned === undefined ? [] : findUntried(learned.policy, improvementModels(key, options));
  if (models.length === 0) return undefined;
  const most = Math.min(MOST_CALLS, CALLS_OF_MODEL * models.length);
  const { nanos, recorded, mostCalls } = await planImprovement(store, key, { ...options, models, mostCalls: most });
  if (nanos === undefined || recorded === 0) return undefined;
  const mostNanos = Math.max(1, Math.ceil(nanos.most / CENT_NANOS)) * CENT_NANOS;
  return { models, calls: Math.min(mostCalls, recorded), mostNanos };
}

/** Returns the models among some without any feedback or grade, while others have grades that count. */
function findUntried(snapshot: WorkloadSnapshot, models: readonly string[]): readonly string[] {
  const state = restore(snapshot);
  if (state === undefined || state.evidence.gradeWeight === 0) return [];
  const graded = state.grades.byArm();
  const isTried = (name: string): boolean => {
    const arm = state.arms.indexOf(name);
    return (graded[arm]?.count ?? 0) + (state.armCounts[arm] ?? 0) > 0;
  };
  return models.some(isTried) ? models.filter((name) => !isTried(name)) : [];
}

function restore(snapshot: WorkloadSnapshot): WorkloadState | undefined {
  try {
    return restoreSnapshot(snapshot);
  } catch (thrown) {
    // What another version has learned says nothing here.
    if (thrown instanceof SnapshotError) return undefined;
    throw thrown;
  }
}
