import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "../../../../web/api/client.ts";
import { trpc } from "../../../../web/api/trpc.ts";
import { useProject } from "../../../../web/shell/session.ts";
import { chosenOrder, type Filters, toRequestFilter } from "../parse-filters.ts";
import type { RequestPageData } from "../types.ts";

/** Requests that one call lists. */
const PAGE_SIZE = 50;

/** Key of the list with these filters. */
export function listKey(projectId: string, filters: Filters) {
  return [...trpc.history.list.pathKey(), projectId, filters];
}

/** Reads the list page by page. It is not read again by itself: what is new comes in by its own way. */
export function useRequests(filters: Filters) {
  const { id: projectId } = useProject();
  return useInfiniteQuery({
    queryKey: listKey(projectId, filters),
    queryFn: ({ pageParam }) => readPage(projectId, filters, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
}

/** Reads a page of the list; in another order than that of time there is one page. */
async function readPage(projectId: string, filters: Filters, cursor: string | undefined): Promise<RequestPageData> {
  const place = { projectId, filter: toRequestFilter(filters) };
  const order = chosenOrder(filters);
  if (order === undefined) {
    return await api.history.list.query({ ...place, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) });
  }
  const { rows, looked: ordered } = await api.history.sorted.query({ ...place, order });
  return { rows, next: null, searchedTo: null, looked: null, ordered };
}
