import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, use } from "react";
import { api } from "../../../api/client.ts";
import type { SentEntry } from "../../../parts/send-feedback.ts";
import { useProject } from "../../../shell/session.ts";
import type { RequestDetails } from "../types.ts";

const keyOf = (projectId: string, id: string) => ["request", projectId, id] as const;

/** Reads a request. Its bodies never change; feedback may come. */
export function useRequest(id: string) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: keyOf(projectId, id),
    queryFn: () => api.history.request.query({ projectId, id }),
    staleTime: 5000,
  });
}

/** Hands the id of the request down to its texts, which are read piece by piece. */
export const RequestContext = createContext<string>("");

/** Returns the request that is shown, as the API takes it. */
export function useRequestPlace(): { readonly projectId: string; readonly id: string } {
  const { id: projectId } = useProject();
  return { projectId, id: use(RequestContext) };
}

/**
 * Returns what adds feedback that was just sent from here to the request that is shown: it is stored a moment later, and
 * has the key of who is signed in from then on. `attempt` is that of the answer, null for the one that was given.
 */
export function useAddFeedback(attempt: number | null): (entries: readonly SentEntry[]) => void {
  const { projectId, id } = useRequestPlace();
  const client = useQueryClient();
  return (entries) => {
    const added = entries.map(({ source, ...entry }) => ({
      ...{
        ...entry,
        attempt,
        keyId: "",
        kind: typeof entry.value === "boolean" ? ("boolean" as const) : ("note" as const),
      },
      ...{ tags: { source }, optimize: null, sessionId: null, createdAt: new Date().toISOString() },
    }));
    client.setQueryData<RequestDetails>(
      keyOf(projectId, id),
      (known) => known && { ...known, feedback: [...known.feedback, ...added] },
    );
  };
}
