/** The subject of a command. */
export interface WorkloadOptions {
  /** Id or name; the default project if absent. */
  readonly project?: string;
  /** Base; all of the project if absent. */
  readonly model?: string;
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
