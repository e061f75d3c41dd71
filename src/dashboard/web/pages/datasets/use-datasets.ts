import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useProject } from "../../shell/session.ts";

/** A dataset of the list. */
export type DatasetSummary = Awaited<ReturnType<typeof api.datasets.list.query>>[number];

/** Reads the datasets of the project. */
export function useDatasets(isEnabled = true) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["datasets", projectId],
    queryFn: () => api.datasets.list.query({ projectId }),
    enabled: isEnabled,
  });
}

/** Returns what has all that is shown of datasets read anew. */
export function useRefreshDatasets(): () => Promise<void> {
  const { id: projectId } = useProject();
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: ["datasets", projectId] });
    await client.invalidateQueries({ queryKey: ["dataset", projectId] });
  };
}
