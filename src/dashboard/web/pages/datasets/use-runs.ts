import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useProject } from "../../shell/session.ts";

/** A run of the list. */
export type Run = Awaited<ReturnType<typeof api.datasetRuns.list.query>>["runs"][number];

/** Answers to one request of a run. */
export type Pair = Awaited<ReturnType<typeof api.datasetRuns.answers.query>>["pairs"][number];

/** The time after which a run that is under way is read again. */
const REFRESH_MS = 2000;

/** Reads the runs of a dataset, again and again while one is under way. */
export function useRuns(datasetId: string) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["dataset-runs", projectId, datasetId],
    queryFn: () => api.datasetRuns.list.query({ projectId, id: datasetId }),
    refetchInterval: ({ state: { data } }) => data?.runs.some(({ state }) => state === "running") && REFRESH_MS,
  });
}

/** Reads a run with its totals so far. */
export function useRun(id: string) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["dataset-run", projectId, id],
    queryFn: () => api.datasetRuns.read.query({ projectId, id }),
    refetchInterval: ({ state: { data } }) => data?.run.state === "running" && REFRESH_MS,
  });
}

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
