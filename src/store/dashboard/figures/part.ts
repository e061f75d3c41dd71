import type { UsageGroup } from "../../read/queries/usage.ts";
import type { Counted } from "./measure.ts";

/** The columns that calls can be grouped by. */
export type FigureGroup = Exclude<UsageGroup, "status">;

/** The query of one part of a range. */
export interface PartQuery {
  readonly projectId: string;
  /** Milliseconds since 1970; the end is not part of it. */
  readonly fromMs: number;
  readonly toMs: number;
  /** undefined puts the whole range into one. */
  readonly stepMs: number | undefined;
  readonly group: FigureGroup;
}

/** Calls of one group that ended alike, about a time. */
export interface CountedPart extends Counted {
  readonly startMs: number;
  /** One name; of a deployment the upstream and its name of the model; nothing for the group none. */
  readonly group: readonly string[];
}
