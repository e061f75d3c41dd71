import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import type { Range } from "../../figures/range.ts";
import { useProject } from "../../shell/session.ts";

/** The workload names of calls in a window. */
export type Workloads = Awaited<ReturnType<typeof api.workloads.list.query>>;

/** One of the names. */
export type Workload = Workloads["workloads"][number];

/** The list of workloads with what was learned. */
export type LearnedList = Awaited<ReturnType<typeof api.learning.list.query>>;

/** One of them. */
export type LearnedRow = LearnedList["workloads"][number];

/** One workload, with all that is known of it. */
export type WorkloadDetails = Awaited<ReturnType<typeof api.learning.read.query>>;

/** The figures of a workload's models. */
export type Figures = NonNullable<NonNullable<WorkloadDetails["learned"]>["figures"]>;

/** Something that happened to a workload. */
export type WorkloadEvent = Awaited<ReturnType<typeof api.learning.history.query>>[number];

/** The changes that a person may make to a workload. */
export type ControlChanges = Omit<Parameters<typeof api.learning.setControls.mutate>[0], "projectId" | "model">;

const NAMES_MS = 30_000;
/** The interval at which learned figures are read again; they change with each feedback. */
const LEARNED_MS = 5000;

/** Reads what calls were named. */
export function useWorkloads(range: Range) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["workloads", projectId, range],
    queryFn: () => api.workloads.list.query({ projectId, ...range }),
    placeholderData: keepPreviousData,
    refetchInterval: NAMES_MS,
  });
}

/** Reads what is learned of each workload. */
export function useLearnedList(range: Range) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["learning", projectId, "list", range],
    queryFn: () => api.learning.list.query({ projectId, ...range }),
    placeholderData: keepPreviousData,
    refetchInterval: LEARNED_MS,
  });
}

/** Reads what the mode `on` would do in workloads that are only observed, where that is known to pay. */
export function useOutlooks() {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["learning", projectId, "outlooks"],
    queryFn: () => api.learning.outlooks.query({ projectId }),
    refetchInterval: NAMES_MS,
  });
}

/** Reads one workload. */
export function useWorkload(model: string, range: Range) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["learning", projectId, "one", model, range],
    queryFn: () => api.learning.read.query({ projectId, model, ...range }),
    placeholderData: keepPreviousData,
    refetchInterval: LEARNED_MS,
  });
}

/** Reads what happened to a workload. */
export function useEvents(model: string) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["learning", projectId, "history", model],
    queryFn: () => api.learning.history.query({ projectId, model }),
    refetchInterval: LEARNED_MS,
  });
}

/**
 * Says what may be changed in a workload, or with an empty name in all of the project; what is shown is then read
 * again.
 */
export function useSetControls(model: string) {
  const { id: projectId } = useProject();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: ControlChanges) => api.learning.setControls.mutate({ projectId, model, ...changes }),
    // Not waited for: a form that begins anew with what is read then would miss what it is told of its own success.
    onSuccess: () => void client.invalidateQueries({ queryKey: ["learning", projectId] }),
    meta: { showsError: true },
  });
}

/** Forgets what was learned of a workload. */
export function useReset(model: string) {
  const { id: projectId } = useProject();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.learning.reset.mutate({ projectId, model }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ["learning", projectId] }),
  });
}
