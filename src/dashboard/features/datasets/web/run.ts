import type { Outputs } from "../../../web/api/trpc.ts";

type Runs = Outputs["datasetRuns"];

/** A run of the list. */
export type Run = Runs["list"]["runs"][number];

/** The results of a run so far. */
export type Totals = Runs["read"]["totals"];

/** Answers to one request of a run. */
export type Pair = Runs["answers"]["pairs"][number];

/** The time after which a run that is under way is read again. */
export const RUN_REFRESH_MS = 2000;

const STATES: Readonly<Record<Run["state"], string>> = {
  running: "Running",
  completed: "Completed",
  cancelled: "Cancelled",
  interrupted: "Interrupted: its process ended",
  "over-budget": "Ended by its limit or a budget",
};

/** Returns the words for the state of a run. */
export function stateText({ state }: Pick<Run, "state">): string {
  return STATES[state];
}
