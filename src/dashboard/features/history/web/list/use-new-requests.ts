import { type InfiniteData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { ALONE, api } from "../../../../web/api/client.ts";
import { trpc } from "../../../../web/api/trpc.ts";
import { useProject } from "../../../../web/shell/session.ts";
import { chosenOrder, type Filters, readWindow, toRequestFilter } from "../parse-filters.ts";
import type { RequestPageData, RequestSummary } from "../types.ts";
import { listKey } from "./use-requests.ts";

/** Most new requests that are counted. */
export const MOST_NEW = 100;

const POLL_MS = 3000;
/** The longer wait between two looks, once nothing has come for minutes. */
const QUIET_POLL_MS = 10_000;
const QUIET_SHARE = 1 / 40;
/** Characters at the end of an id that say which one it is: they are chance. */
const ID_END = 12;
/** While it fails: the watch of the connection says at once when the server is back. */
const FAILED_POLL_MS = 15_000;
/** The time limit of a response: a server that hangs is treated as away. */
const ANSWER_MS = 10_000;
/** A request has the id of its beginning and is listed at its end: for so long it can come in behind newer ones. */
const LATE_MS = 10 * 60_000;

interface Options {
  readonly filters: Filters;
  /** The rows, newest first; undefined while they load. */
  readonly rows: readonly RequestSummary[] | undefined;
  /** True if there is more below the last row. */
  readonly hasMore: boolean;
}

/**
 * Looks for requests that are not listed yet; `show` puts them into the list. `failure` says why that does not work,
 * where it does not, and `readAt` when it last did, in milliseconds since 1970; 0 if it never did.
 */
export function useNewRequests({ filters, rows, hasMore }: Options) {
  const { id: projectId } = useProject();
  const client = useQueryClient();
  const newest = rows?.[0]?.startedAt;
  const newestMs = newest === undefined ? undefined : Date.parse(newest);
  const key = [...trpc.history.list.pathKey(), "tail", projectId, filters];
  const tail = useQuery({
    queryKey: key,
    queryFn: async ({ signal }): Promise<readonly RequestSummary[]> => {
      const filter = toRequestFilter(filters);
      const from = new Date(Math.min(newestMs ?? 0, Date.now() - LATE_MS)).toISOString();
      const later = filter.from !== undefined && filter.from > from ? filter.from : from;
      if (filter.to !== undefined && filter.to <= later) return [];
      const before = client.getQueryData<readonly RequestSummary[]>(key) ?? [];
      const page = await api.history.list.query(
        {
          projectId,
          filter: { ...filter, from: later },
          limit: MOST_NEW,
          known: listKnownEnds(rows ?? [], before, later),
        },
        { signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]), ...ALONE },
      );
      return notListed(newestFirst([...page.rows, ...before]), rows ?? [], hasMore).slice(0, MOST_NEW);
    },
    // Nothing new comes into a time that is over.
    enabled: rows !== undefined && !isOver(filters),
    refetchInterval: ({ state }) => (state.error === null ? pollMs(state.data?.[0], newestMs) : FAILED_POLL_MS),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const fresh = useMemo(() => notListed(tail.data ?? [], rows ?? [], hasMore), [tail.data, rows, hasMore]);
  const show = useCallback(() => {
    const key = listKey(projectId, filters);
    if (fresh.length >= MOST_NEW) return void client.resetQueries({ queryKey: key });
    client.setQueryData<InfiniteData<RequestPageData>>(key, (data) => data && { ...data, pages: insert(data, fresh) });
  }, [client, projectId, filters, fresh]);
  return { fresh, show, failure: tail.error, readAt: tail.dataUpdatedAt };
}

/** Tells whether the time that is looked at lies so far back that no request can come into it any more. */
export function isOver(filters: Filters, now = Date.now()): boolean {
  if (chosenOrder(filters) !== undefined) return true;
  const { to } = readWindow(filters);
  return to !== undefined && Date.parse(to) < now - LATE_MS;
}

/** Returns the ends of the ids that need not be sent again: those of as many of the newest as one answer has. */
function listKnownEnds(rows: readonly RequestSummary[], before: readonly RequestSummary[], from: string): string {
  const known = newestFirst([...rows, ...before]).filter(({ startedAt }) => startedAt >= from);
  return known
    .slice(0, MOST_NEW)
    .map(({ id }) => id.slice(-ID_END))
    .join("");
}

/** Puts each request once, the newest first. */
function newestFirst(rows: readonly RequestSummary[]): RequestSummary[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}

/** Returns how long to wait: a fraction of the time in which nothing came. In a new project it is never long. */
function pollMs(fresh: RequestSummary | undefined, newestMs: number | undefined): number {
  const lastMs = fresh === undefined ? newestMs : Date.parse(fresh.startedAt);
  if (lastMs === undefined) return POLL_MS;
  return Math.min(Math.max((Date.now() - lastMs) * QUIET_SHARE, POLL_MS), QUIET_POLL_MS);
}

function notListed(
  found: readonly RequestSummary[],
  rows: readonly RequestSummary[],
  hasMore: boolean,
): readonly RequestSummary[] {
  const known = new Set(rows.map(({ id }) => id));
  const last = hasMore ? (rows.at(-1)?.id ?? "") : "";
  return found.filter(({ id }) => !known.has(id) && id > last);
}

/** Each goes to the page that it belongs to, so that a cursor stays the end of its page. */
function insert({ pages }: InfiniteData<RequestPageData>, fresh: readonly RequestSummary[]): RequestPageData[] {
  let left = [...fresh];
  return pages.map((page, index) => {
    const end = index === pages.length - 1 ? "" : (page.next ?? "");
    const own = left.filter(({ id }) => id > end);
    left = left.filter(({ id }) => id <= end);
    return own.length === 0 ? page : { ...page, rows: newestFirst([...own, ...page.rows]) };
  });
}
