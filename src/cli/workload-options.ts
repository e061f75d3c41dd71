/** Whom a command is about. */
export interface WorkloadOptions {
  /** Id or name; the default project if absent. */
  readonly project?: string;
  /** Base; all of the project if absent. */
  readonly model?: string;
}

/** What can be said of a mode. */
export const MODES = ["off", "observe", "on", "default"] as const;

/** What feedback may change; "default" leaves it to the project, and there to the configuration. */
export type ModeArgument = (typeof MODES)[number];

/** What can be said of a metric. */
export interface MetricArguments {
  readonly weight?: number;
  readonly direction?: "max" | "min";
  readonly atLeast?: number;
  readonly atMost?: number;
}
