import { type Finding, pickFinding } from "../../vocabulary/finding.ts";
import type { JudgeFigures } from "../../vocabulary/judge-figures.ts";
import type { Outlook } from "../../vocabulary/outlook.ts";
import { learnedAdvantages } from "../bandit/learn.ts";
import { restoreSnapshot, SnapshotError } from "../bandit/snapshot.ts";
import type { WorkloadState } from "../bandit/workload-state.ts";
import { GUARDED } from "../workload.ts";
import { type ConstraintState, constraintStates } from "./constraint-states.ts";
import {
  type ArmFigures,
  describeFamilies,
  describeState,
  type FamilyFigures,
  type WorkloadFigures,
} from "./figures.ts";
import { listFindings } from "./finding.ts";
import { judgeFigures } from "./judge-figures.ts";
import { type LatencyFigures, LatencyMetrics } from "./latency-metrics.ts";
import type { MetricFacts } from "./metrics.ts";
import { estimateEffect, estimateOutlook } from "./outlook.ts";
import { type SelectionFigures, selectionFigures } from "./selection-memory.ts";
import type { MemorySnapshot } from "./workload-model.ts";

/** All that can be said of a model in a workload. */
export interface InspectedArm extends ArmFigures {
  /** Answers that are asked for at once: one of a model. */
  readonly answers: number;
  /** Mean of its rewards; undefined without any. */
  readonly mean: number | undefined;
  /** The advantage over base over all families, shrunk to 0 while little is known. */
  readonly advantage: number;
  /** The prior of that; undefined if there was none. */
  readonly prior: number | undefined;
  /** Rewards that this still counts for. */
  readonly priorWeight: number;
  /** Big families in which it is the best. */
  readonly bestIn: number;
  readonly constraints: readonly ConstraintState[];
}

/** The learned state of a workload, for RPC callers. */
export interface Inspection extends Omit<WorkloadFigures, "arms"> {
  readonly arms: readonly InspectedArm[];
  readonly families: number;
  /** The families with the most requests. */
  readonly promptFamilies: readonly FamilyFigures[];
  /** Part of the answers that came from others than base; undefined where there are none. */
  readonly exposure: number | undefined;
  readonly metrics: readonly (MetricFacts & { readonly name: string })[];
  /** The learned choice among candidates; undefined where nothing was learned. */
  readonly selection: SelectionFigures | undefined;
  /** The expected effect of the mode `on`; undefined while it is not known. */
  readonly outlook: Outlook | undefined;
  /** The effect of the policy's choices, whether it pays or not; undefined while little is known. */
  readonly effect: Outlook | undefined;
  /** The record of the judge of shadow trials; null where it graded nothing. */
  readonly judge: JudgeFigures | null;
  /** The finding on the model that promises most in base's place; undefined while too little is known. */
  readonly finding: Finding | undefined;
  /** The latency of several answers beside that of base; empty where none were given. */
  readonly latencies: readonly LatencyFigures[];
}

/** Families that are told of at most. */
const MOST_FAMILIES = 100;

/** Reads what was learned; returns why that cannot be read, where it is of another version. */
export function inspect(
  { policy, best, priors, facts, selection, latencies }: MemorySnapshot,
  excluded: readonly string[],
): Inspection | SnapshotError {
  try {
    const state = restoreSnapshot(policy);
    const { arms, ...figures } = describeState(state);
    const learned = learnedAdvantages(state);
    return {
      ...figures,
      arms: arms.map((arm, index) => ({
        ...arm,
        answers: state.places[index]?.length ?? 1,
        mean: arm.rewards > 0 ? (state.armSums[index] ?? 0) / arm.rewards : undefined,
        advantage: learned[arm.model]?.advantage ?? 0,
        prior: Object.hasOwn(priors, arm.model) ? priors[arm.model] : undefined,
        priorWeight: state.armPriorWeights[index] ?? 0,
        constraints: constraintStates(state, index),
        bestIn: best.filter(([, model]) => model === arm.model).length,
      })),
      families: policy.families.length,
      promptFamilies: describeFamilies(state, MOST_FAMILIES, excluded),
      exposure: getExposure(state),
      // Of names that have no place nothing was learned.
      metrics: Object.entries(facts).flatMap(([name, known]) => (known.values === 0 ? [] : [{ name, ...known }])),
      selection: selection && selectionFigures(selection),
      outlook: estimateOutlook(state, excluded),
      effect: estimateEffect(state, excluded),
      judge: judgeFigures(state),
      finding: pickFinding(listFindings(state), excluded),
      latencies: new LatencyMetrics(latencies).figures(figures.base),
    };
  } catch (error) {
    if (error instanceof SnapshotError) return error;
    throw error;
  }
}

/** Counted where every answer is that its caller did not break off. */
function getExposure({ guarded }: WorkloadState): number | undefined {
  const answers = guarded.get(GUARDED.success);
  if (answers === undefined || answers.observations === 0) return undefined;
  return (answers.observations - answers.pooledCount) / answers.observations;
}
