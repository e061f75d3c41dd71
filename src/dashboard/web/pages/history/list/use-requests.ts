import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "../../../api/client.ts";
import { useProject } from "../../../shell/session.ts";
import { type Filters, toRequestFilter } from "../parse-filters.ts";

/** Requests that one call lists. */
const PAGE_SIZE = 50;

/** Key of the list with these filters. */
export function listKey(projectId: string, filters: Filters) {
  return ["history", projectId, filters] as const;
}

/** Reads the list page by page. It is not read again by itself: what is new comes in by its own way. */
export function useRequests(filters: Filters) {
  const { id: projectId } = useProject();
  return useInfiniteQuery({
    queryKey: listKey(projectId, filters),
    queryFn: ({ pageParam }) =>
      api.history.list.query({
        projectId,
        filter: toRequestFilter(filters),
        limit: PAGE_SIZE,
        ...(pageParam === undefined ? {} : { cursor: pageParam }),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
}
