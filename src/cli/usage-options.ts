import type { UsageDimension } from "../hub/usage.ts";

/** The options of `attune usage`. */
export interface UsageOptions {
  readonly from?: Date;
  readonly to?: Date;
  readonly groupBy: readonly UsageDimension[];
  readonly format: "table" | "csv" | "json";
  readonly project?: string;
  readonly allProjects?: true;
  readonly url?: string;
}
