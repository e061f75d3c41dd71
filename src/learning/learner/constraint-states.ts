import type { Constraint } from "../bandit/constraint-record.ts";
import type { WorkloadState } from "../bandit/workload-state.ts";

/** The state of a model under a constraint on a metric. */
export interface ConstraintState extends Constraint {
  /** Values that are counted, and their mean. */
  readonly values: number;
  readonly mean: number;
  readonly isBroken: boolean;
}

/** Tells how an arm does in what is asked of it. Base is held to nothing. */
export function constraintStates({ constraints, base }: WorkloadState, arm: number): ConstraintState[] {
  return constraints.map((record) => ({
    ...record.constraint,
    values: record.counts[arm] ?? 0,
    mean: record.means[arm] ?? 0,
    isBroken: arm !== base && record.isBroken(arm),
  }));
}
