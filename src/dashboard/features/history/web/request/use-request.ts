import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, use } from "react";
import { trpc } from "../../../../web/api/trpc.ts";
import type { SentEntry } from "../../../../web/parts/send-feedback.ts";
import { useProject } from "../../../../web/shell/session.ts";

/** Reads a request. Its bodies never change; feedback may come. */
export function useRequest(id: string) {
  const { id: projectId } = useProject();
  return useQuery(trpc.history.request.queryOptions({ projectId, id }, { staleTime: 5000 }));
}

/** Hands the id of the request down to its texts, which are read piece by piece. */
export const RequestContext = createContext<string>("");

/** Returns the request that is shown, as the API takes it. */
export function useRequestPlace(): { readonly projectId: string; readonly id: string } {
  const { id: projectId } = useProject();
  return { projectId, id: use(RequestContext) };
}

/**
 * Returns what adds feedback that was just sent from here to the request that is shown: it is stored a moment later,
 * and has the key of who is signed in from then on. `attempt` is that of the answer, null for the one that was given.
 */
export function useAddFeedback(attempt: number | null): (entries: readonly SentEntry[]) => void {
  const { projectId, id } = useRequestPlace();
  const client = useQueryClient();
  return (entries) => {
    const added = entries.map(({ source, ...entry }) => ({
      ...entry,
      attempt,
      keyId: "",
      kind: typeof entry.value === "boolean" ? ("boolean" as const) : ("note" as const),
      tags: { source },
      optimize: null,
      sessionId: null,
      createdAt: new Date().toISOString(),
    }));
    client.setQueryData(
      trpc.history.request.queryKey({ projectId, id }),
      (known) => known && { ...known, feedback: [...known.feedback, ...added] },
    );
  };
}
