import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import type { Range } from "../../figures/range.ts";
import { useProject } from "../../shell/session.ts";
import type { Dimension } from "./dimensions.ts";

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

/** Failed and refused calls of a time by what they have in common. */
export type ErrorGroups = Awaited<ReturnType<typeof api.errors.groups.query>>;

interface GroupsOptions {
  readonly range: Range;
  readonly by: readonly Dimension[];
  readonly intervalMs: number | false;
}

/** Reads them. */
export function useErrorGroups({ range, by, intervalMs }: GroupsOptions) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["error-groups", projectId, range, by],
    queryFn: () => api.errors.groups.query({ projectId, ...range, by: [...by] }),
    placeholderData: (previous, query) => (query?.queryKey[1] === projectId ? keepPreviousData(previous) : undefined),
    refetchInterval: intervalMs,
  });
}
