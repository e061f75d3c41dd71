import { useMutation } from "@tanstack/react-query";
import { api } from "../../../web/api/client.ts";
import { queryClient, trpc } from "../../../web/api/trpc.ts";
import { useProject } from "../../../web/shell/session.ts";
import type { ControlChanges } from "./types.ts";

/**
 * Says what may be changed in a workload, or with an empty name in all of the project; what is shown is then read
 * again.
 */
export function useSetControls(model: string) {
  const { id: projectId } = useProject();
  return useMutation({
    mutationFn: (changes: ControlChanges) => api.learning.setControls.mutate({ projectId, model, ...changes }),
    // Not waited for: a form that begins anew with what is read then would miss what it is told of its own success.
    onSuccess: () => void queryClient.invalidateQueries(trpc.learning.pathFilter()),
    meta: { showsError: true },
  });
}
