import { useQuery } from "@tanstack/react-query";
import { createContext, use } from "react";
import { api } from "../../../api/client.ts";
import { useProject } from "../../../shell/session.ts";

/** Reads a request. Its bodies never change; feedback may come. */
export function useRequest(id: string) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["request", projectId, id],
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
