import type { ControlValue, MemberOf, PlainControls, ShadowName } from "../vocabulary/control-fields.ts";
import type { MetricSettings } from "../vocabulary/metric-overrides.ts";
import type { PendingDecisions } from "./bandit/pending-decisions.ts";
import type { WorkloadState } from "./bandit/workload-state.ts";
import type { Selector } from "./best-of-n/selector.ts";
import type { KnownClusters } from "./learner/known-clusters.ts";
import type { LatencyMetrics } from "./learner/latency-metrics.ts";

/** A project's calls of one model, which is base for them. Prompt families are told apart within. */
export interface WorkloadKey {
  readonly projectId: string;
  /** Name without the prefix. */
  readonly model: string;
}

/**
 * The ones who find out whether another model does better: users of some calls, trials in the shadow alone, or nobody.
 */
export type Exploration = "users" | "shadow" | "off";

/** The resolved settings of shadow trials. Those of numbers always have a value. */
type ShadowSettings = {
  readonly [Name in ShadowName as ControlValue<Name> extends number ? MemberOf<Name> : never]: ControlValue<Name>;
} & {
  readonly [Name in ShadowName as ControlValue<Name> extends number ? never : MemberOf<Name>]?: ControlValue<Name>;
};

/** The resolved shadow trials of a workload: a share of 0 tries nothing, and neither does one without a judge. */
export interface ShadowControls extends ShadowSettings {
  /** Name of the budget of a day: "" is of the installation; else a project, or a workload. */
  readonly budget: string;
}

/** The resolved controls of a workload. */
export interface WorkloadControls extends PlainControls {
  /** Only base answers, or one model wherever it can; undefined lets the policy choose. */
  readonly hold: { readonly kind: "frozen" } | { readonly kind: "pinned"; readonly model: string } | undefined;
  /** Models that never answer in base's place. */
  readonly excluded: readonly string[];
  /** The settings of metrics, each once. */
  readonly metrics: readonly MetricSettings[];
  /** `users` if absent. */
  readonly explore?: Exploration;
  readonly shadow: ShadowControls;
}

/**
 * The state that decisions on a workload are made from. Only the learner changes it, and only before it is handed out.
 */
export interface LearnedWorkload {
  readonly key: WorkloadKey;
  readonly controls: WorkloadControls;
  readonly state: WorkloadState;
  /** The clusters of families whose prompts are told apart, by the families' names. */
  readonly clusters: ReadonlyMap<string, KnownClusters>;
  /** The learned choice among candidates; undefined where nothing was learned. */
  readonly selector: Selector | undefined;
  /** The latency of several answers beside that of base; undefined where none was seen. */
  readonly latencies?: LatencyMetrics | undefined;
  /** The decisions of this process that it has not learned from yet. */
  readonly pendingDecisions: PendingDecisions;
  /** Counts what was learned and said of the workload: greater is later. 0 for one that nothing is known of. */
  readonly version: number;
  /** True until this process has read what was learned: the state is that of a new workload. */
  readonly isUnread?: true;
}

/** The workloads as this process knows them; at once, because requests wait. */
export interface WorkloadCachePort {
  /**
   * Returns what is known of a workload: a state that has learned nothing for one that is new, or is not read yet,
   * which its first requests do not wait for. Undefined where learning is off, and for models that the catalog does
   * not have.
   */
  find(key: WorkloadKey): LearnedWorkload | undefined;
}

/** Accounts that guard every workload beside its feedback: values are from 0 to 1, and more is better. */
export const GUARDED = {
  /** 1 for an inference that completed, 0 for one that failed. */
  success: "attune.success",
  /** 0 for one that the model refused to answer. */
  answered: "attune.answered",
  /** 0 for one that was slower than nineteen of twenty of base's. */
  speed: "attune.speed",
} as const;
