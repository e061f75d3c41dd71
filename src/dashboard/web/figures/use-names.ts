import { useQuery } from "@tanstack/react-query";
import { type Outputs, trpc } from "../api/trpc.ts";
import { useProject } from "../shell/session.ts";

/** Names that calls of a project were told apart by, and a key that it can call with. */
export type Names = Outputs["overview"]["names"];

/** Reads them; while there were no calls, often, so that the first one is seen. */
export function useNames() {
  const { id: projectId } = useProject();
  return useQuery(
    trpc.overview.names.queryOptions(
      { projectId },
      { staleTime: 60_000, refetchInterval: ({ state }) => (state.data?.model.length === 0 ? 3000 : 60_000) },
    ),
  );
}
