import type { RemoteOptions } from "./admin-client.ts";

/** The subject of a command. */
export interface WorkloadOptions extends RemoteOptions {
  /** Id or name; the default project if absent. */
  readonly project?: string;
  /** Base; all of the project if absent. */
  readonly model?: string;
}

/** The options of `attune workloads rebuild`. */
export interface RebuildOptions extends WorkloadOptions {
  /** False to ask for it only. */
  readonly wait: boolean;
}

/** The values of a mode. */
export const MODES = ["off", "observe", "on", "default"] as const;

/** The mode of learning; "default" inherits from the project, and there from the configuration. */
export type ModeArgument = (typeof MODES)[number];

/** The settings of a metric on the command line. */
export interface MetricArguments {
  readonly weight?: number;
  readonly direction?: "max" | "min";
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** The values of an objective, of the extent of feedback, and of the unit of a decision. */
export const OBJECTIVES = ["quality", "balanced", "cost", "latency", "default"] as const;
export const EXTENTS = ["voluntary", "complete", "default"] as const;
export const UNITS = ["session", "request", "default"] as const;

/** The settings of `attune workloads set`; "default" inherits. */
export interface SetArguments {
  readonly mode?: ModeArgument;
  readonly objective?: (typeof OBJECTIVES)[number];
  readonly rewardPerPrice?: number | "default";
  readonly feedback?: (typeof EXTENTS)[number];
  readonly unit?: (typeof UNITS)[number];
  readonly shadow?: number | "default";
  readonly judge?: string;
  readonly usdDay?: number | "default";
  readonly rubric?: string;
}
