import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../../api/client.ts";
import { useProject } from "../../../shell/session.ts";

/** A rebuild of what was learned. */
export type Rebuild = NonNullable<Awaited<ReturnType<typeof api.rebuilds.read.query>>>;

const UNDER_WAY_MS = 1000;
const ENDED_MS = 30_000;

const keyOf = (projectId: string) => ["rebuild", projectId] as const;

/** Tells whether a rebuild waits or runs. */
export function isUnderWay(rebuild: Rebuild | null | undefined): boolean {
  return rebuild?.state === "waiting" || rebuild?.state === "running";
}

/** Reads the rebuild that waits or runs, or else the latest one: null where there was none. */
export function useRebuild() {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: keyOf(projectId),
    queryFn: () => api.rebuilds.read.query({ projectId }),
    refetchInterval: ({ state: { data } }) => (isUnderWay(data) ? UNDER_WAY_MS : ENDED_MS),
  });
}

/** Asks for a rebuild. */
export function useRequestRebuild() {
  return useChange((projectId) => api.rebuilds.request.mutate({ projectId }), { showsError: true });
}

/** Cancels the rebuild that waits or runs. */
export function useCancelRebuild() {
  return useChange((projectId) => api.rebuilds.cancel.mutate({ projectId }));
}

function useChange(change: (projectId: string) => Promise<Rebuild | null>, meta: { showsError?: boolean } = {}) {
  const { id } = useProject();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => change(id),
    onSuccess: (rebuild) => client.setQueryData(keyOf(id), rebuild),
    meta,
  });
}
