import type { ChangeOrigin } from "../vocabulary/change-origin.ts";
import type { ControlSettings } from "../vocabulary/control-fields.ts";
import type { Spent } from "../vocabulary/outlook.ts";
import type { ControlOverrides } from "./controls.ts";
import type { MemorySnapshot } from "./learner/workload-model.ts";
import type { HistoryEvent } from "./ports.ts";
import type { WorkloadKey } from "./workload.ts";

/** The summary of a workload. */
export interface LearnedFacts {
  readonly key: WorkloadKey;
  readonly version: number;
  readonly updatedAt: Date;
  /** Rewards that were learned from. */
  readonly rewards: number;
}

/** Something that happened to a workload, or with an empty model to all of a project. */
export interface StoredEvent {
  readonly id: string;
  readonly model: string;
  readonly at: Date;
  /** One of HistoryEvent's, unless another version wrote it. */
  readonly kind: HistoryEvent["kind"] | (string & {});
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A change of controls, which may go by what was said before: nobody else says anything in between. */
export type ControlChange = Partial<ControlSettings> | ((before: ControlSettings) => Partial<ControlSettings>);

/**
 * The workloads of a database, for those who look at them and steer them. Rejects where the database cannot be asked.
 */
export interface WorkloadDirectory {
  /** Reads those of a project of which anything was learned, by their models: those after `after`. */
  page(projectId: string, part: { readonly after: string; readonly most: number }): Promise<LearnedFacts[]>;
  /** Undefined where nothing is known of it. */
  read(key: WorkloadKey): Promise<(LearnedFacts & { readonly learned: MemorySnapshot | undefined }) | undefined>;
  /** Reads what its calls of the last 30 days cost; undefined where there were none. */
  spent(key: WorkloadKey): Promise<Spent | undefined>;
  /** Reads what happened to it and to all of its project, the latest first: what came before the event `before`. */
  history(key: WorkloadKey, part: { readonly before?: string; readonly most: number }): Promise<StoredEvent[]>;
  /** Reads what is said in a project, and returns what that makes of each of its models. */
  controls(projectId: string): Promise<(model: string) => ControlOverrides>;
  /**
   * Keeps what `by` says of a workload, or with an empty model of all of a project; what is not named stays as it is.
   */
  setControls(key: WorkloadKey, changes: ControlChange, by: ChangeOrigin): Promise<void>;
  /** Forgets what was learned; returns false where that was nothing. */
  reset(key: WorkloadKey, by: ChangeOrigin): Promise<boolean>;
}
