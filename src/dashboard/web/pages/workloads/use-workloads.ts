import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import type { Range } from "../../figures/range.ts";
import { useProject } from "../../shell/session.ts";

/** Workloads of a time. */
export type Workloads = Awaited<ReturnType<typeof api.workloads.list.query>>;

/** One of them. */
export type Workload = Workloads["workloads"][number];

/** Reads them. */
export function useWorkloads(range: Range) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["workloads", projectId, range],
    queryFn: () => api.workloads.list.query({ projectId, ...range }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
}
