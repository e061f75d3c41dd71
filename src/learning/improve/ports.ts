import type { HubInput } from "../../hub/input.ts";
import type { BackgroundAnswer, PlannedAttempt } from "../../inference/ports.ts";
import type { RecordedAnswer } from "../dataset-runs/ports.ts";
import type { MetricsSnapshot } from "../learner/metrics.ts";
import type { BackgroundRequest, ShadowBudgets, ShadowModels, ShadowStore, ShadowWatch } from "../shadow/ports.ts";
import type { WorkloadCachePort, WorkloadKey } from "../workload.ts";

/** Recorded requests that are considered, and answers that the judge is measured by. */
export const MOST_RECORDED = 5000;
export const MOST_CHECKED = 200;

/** Other models are asked for recorded requests of a workload. */
export interface Improvement {
  readonly id: string;
  readonly key: WorkloadKey;
  /** The models that may be asked; empty for all that may answer in base's place. */
  readonly models: readonly string[];
  readonly mostNanos: number;
  /** The most recorded requests that others are asked for. */
  readonly mostCalls: number;
  /** When it was asked for, in milliseconds since 1970. */
  readonly requestedAtMs: number;
  /** Answers of other models so far. */
  readonly calls: number;
}

/** A recorded answer of base. */
export interface RecordedCall {
  readonly inferenceId: string;
  readonly family: string;
}

/** A recorded answer of base that people said something of. */
export interface RatedCall extends RecordedCall {
  readonly values: readonly {
    readonly name: string;
    readonly value: boolean | number;
    readonly optimize: string | null;
  }[];
}

/** The store of improvements, as whoever makes them needs it. */
export interface ImproveStore extends ShadowStore {
  readAnswer(inferenceId: string, projectId: string): Promise<RecordedAnswer | undefined>;
  /** Reads recorded answers of base with their texts that no other model was tried on, the latest first. */
  readRecorded(key: WorkloadKey, most: number): Promise<readonly RecordedCall[]>;
  /** Reads those that people rated and no judge has graded, the latest first. */
  readUngraded(key: WorkloadKey, most: number): Promise<readonly RatedCall[]>;
  /** Reads those that nobody said anything of and no judge has graded, the latest first. */
  readSilent(key: WorkloadKey, most: number): Promise<readonly RecordedCall[]>;
  /** Reads the scales of a workload's metrics; undefined where nothing was learned. */
  readScales(key: WorkloadKey): Promise<MetricsSnapshot | undefined>;
}

/** The models that an improvement asks. */
export interface ImproveModels extends ShadowModels {
  /** Asks a model for an answer to a recorded request. Throws InferenceError. */
  answer(planned: PlannedAttempt, request: BackgroundRequest, signal: AbortSignal): Promise<BackgroundAnswer>;
  /** Returns the reason why a recorded request cannot be sent again; undefined where it can. */
  problemOf(input: HubInput): string | undefined;
}

/** The ports of improvements. */
export interface ImprovePorts {
  readonly models: ImproveModels;
  readonly store: ImproveStore;
  readonly budgets: ShadowBudgets;
  readonly watch: ShadowWatch;
  readonly workloads: WorkloadCachePort;
  /** Returns whether a project keeps its texts: what may not be kept is not sent to others either. */
  readonly keepsTexts: (projectId: string) => boolean;
  readonly onFailure: (error: unknown) => void;
  /** The limit of the calls of one trial. */
  readonly timeoutMs: number;
  /** The time for which grades are waited for until they are learned; 10 s if absent. */
  readonly learnMs?: number;
  /** Seed of what is drawn; a random one if absent. */
  readonly seed?: number;
}
