import type { Objective } from "../routing/policy/settings.ts";
import type { WorkloadSnapshot } from "../routing/policy/snapshot.ts";
import { takeSnapshot } from "../routing/policy/snapshot.ts";
import { type FeedbackKind, WorkloadState } from "../routing/policy/workload-state.ts";

/** What a state has to fit: the models of today, and what operators want of it. */
export interface StateShape {
  readonly arms: readonly string[];
  readonly base: string;
  readonly objective: Objective;
  readonly feedback: FeedbackKind;
  readonly guarded: readonly string[];
}

/**
 * Fits a snapshot to a shape. What was learned of a model is carried over by its name; a new model starts without anything, and what
 * was learned of one that is gone is dropped. Prices are learned anew under another objective, which may count others.
 */
export function adaptSnapshot(snapshot: WorkloadSnapshot, shape: StateShape): WorkloadSnapshot {
  if (fits(snapshot, shape)) return snapshot;
  const { familyLimit } = snapshot;
  const empty = takeSnapshot(new WorkloadState({ ...shape, familyLimit }));
  const from = shape.arms.map((arm) => snapshot.arms.indexOf(arm));
  const families = snapshot.families.length + 1;
  const zeros = Array.from({ length: families }, () => 0);
  const hasOtherPrices = snapshot.objective !== shape.objective;
  const byFamily = { ...snapshot.byFamily };
  const byArm = mapFigures(snapshot.byArm, (values) => from.map((arm) => values[arm] ?? 0));
  if (hasOtherPrices) {
    for (const name of ["basePriceCounts", "basePriceSums"]) byFamily[name] = zeros;
    for (const name of ["armPriceCounts", "armPriceSums"]) byArm[name] = from.map(() => 0);
  }
  const emptyMetric = (name: string) => {
    const { totals, byFamily: figures } = empty.guarded[name] ?? empty.complaints ?? { totals: {}, byFamily: {} };
    return { totals, byFamily: mapFigures(figures, () => zeros) };
  };
  const { complaints: ownComplaints, ...others } = snapshot;
  return {
    ...others,
    ...{ arms: shape.arms, base: shape.base, objective: shape.objective, feedback: shape.feedback },
    totals: hasOtherPrices ? { ...snapshot.totals, priceWeight: 0 } : snapshot.totals,
    byArm,
    byFamily,
    byFamilyAndArm: mapFigures(snapshot.byFamilyAndArm, (values) =>
      zeros.flatMap((_, family) =>
        from.map((arm) => (arm === -1 ? 0 : (values[family * snapshot.arms.length + arm] ?? 0))),
      ),
    ),
    guarded: Object.fromEntries(shape.guarded.map((name) => [name, snapshot.guarded[name] ?? emptyMetric(name)])),
    ...(shape.feedback === "voluntary" && { complaints: ownComplaints ?? emptyMetric("") }),
  };
}

function fits(snapshot: WorkloadSnapshot, shape: StateShape): boolean {
  const isSame = (one: readonly string[], other: readonly string[]) =>
    one.length === other.length && one.every((name, index) => name === other[index]);
  return (
    snapshot.objective === shape.objective &&
    snapshot.feedback === shape.feedback &&
    snapshot.base === shape.base &&
    isSame(snapshot.arms, shape.arms) &&
    isSame(Object.keys(snapshot.guarded), shape.guarded)
  );
}

type Figures = Record<string, readonly number[]>;

function mapFigures(figures: Readonly<Figures>, change: (values: readonly number[]) => readonly number[]): Figures {
  return Object.fromEntries(Object.entries(figures).map(([name, values]) => [name, change(values)]));
}
