import { useQueries, useQuery } from "@tanstack/react-query";
import { api } from "../../../web/api/client.ts";
import { keepPrevious } from "../../../web/api/keep-previous.ts";
import { type Outputs, trpc } from "../../../web/api/trpc.ts";
import { useProject } from "../../../web/shell/session.ts";

/** A run of an agent. */
export type SessionRun = Outputs["sessions"]["read"];

/** A line of a run: a session that begins, or a call. */
export type RunStep = SessionRun["steps"][number];

/** A call of a run. */
export type RunCall = Extract<RunStep, { kind: "call" }>["call"];

/** The first words of a call, and the tools that it called. */
export type Outline = Outputs["sessions"]["outlines"][number];

const REFRESH_MS = 10_000;
/** Calls whose texts are read at once. */
const PART = 25;

/** Steps that are read at once. */
export const PAGE_SIZE = 100;

/** Reads a page of the latest run of a session, again and again while it may go on. */
export function useSessionRun(sessionId: string, offset: number, { enabled = true } = {}) {
  const { id: projectId } = useProject();
  return useQuery(
    trpc.sessions.read.queryOptions(
      { projectId, sessionId, offset },
      {
        placeholderData: keepPrevious({ projectId, sessionId }),
        refetchInterval: REFRESH_MS,
        retry: false,
        enabled,
      },
    ),
  );
}

/** Reads all calls of a run in order of time, and again once it has grown. */
export function useTimeline(sessionId: string, { stepCount, totals }: Pick<SessionRun, "stepCount" | "totals">) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: [...trpc.sessions.timeline.pathKey(), projectId, sessionId, totals.startMs, stepCount],
    queryFn: () => api.sessions.timeline.query({ projectId, sessionId }),
    placeholderData: (previous, query) =>
      query?.queryKey[2] === sessionId && query.queryKey[3] === totals.startMs ? previous : undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Reads a page before it is shown, with its texts. */
export function useUpcoming(sessionId: string, offset: number, isWanted: boolean): void {
  const run = useSessionRun(sessionId, offset, { enabled: isWanted });
  useOutlines(isWanted && !run.isPlaceholderData ? callIds(run.data?.steps ?? []) : []);
}

/** Returns the ids of the calls among steps. */
export function callIds(steps: readonly RunStep[]): readonly string[] {
  return steps.flatMap((line) => (line.kind === "call" ? [line.call.id] : []));
}

/** Reads the first words of calls; those that are not there yet, or were not kept, are missing. */
export function useOutlines(ids: readonly string[]): ReadonlyMap<string, Outline> {
  const { id: projectId } = useProject();
  const parts = Array.from({ length: Math.ceil(ids.length / PART) }, (_, at) => ids.slice(at * PART, (at + 1) * PART));
  const found = useQueries({
    queries: parts.map((part) =>
      trpc.sessions.outlines.queryOptions({ projectId, ids: [...part] }, { staleTime: Number.POSITIVE_INFINITY }),
    ),
  });
  return new Map(found.flatMap(({ data }) => data ?? []).map((outline) => [outline.id, outline]));
}
