import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import type { Range } from "../../figures/range.ts";
import { useProject } from "../../shell/session.ts";

/** Failed and refused calls of a time. */
export type Errors = Awaited<ReturnType<typeof api.errors.summary.query>>;

/** Reads them. Those of another time stay, paler, until the asked ones are there. */
export function useErrors({ range, intervalMs }: { readonly range: Range; readonly intervalMs: number | false }) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["errors", projectId, range],
    queryFn: () => api.errors.summary.query({ projectId, ...range }),
    placeholderData: (previous, query) => (query?.queryKey[1] === projectId ? keepPreviousData(previous) : undefined),
    refetchInterval: intervalMs,
  });
}
