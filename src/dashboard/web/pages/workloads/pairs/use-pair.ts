import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../api/client.ts";
import { useProject } from "../../../shell/session.ts";

/** A pair of answers that nobody has judged yet. */
export type Pair = NonNullable<Awaited<ReturnType<typeof api.learning.pair.query>>>;

/** A pair that was judged, with the models of its answers. */
export type JudgedPair = Awaited<ReturnType<typeof api.learning.judgePair.mutate>>;

/** Reads a pair of a workload, takes a verdict on it, and goes on to the next one. */
export function usePair(model: string) {
  const { id: projectId } = useProject();
  const client = useQueryClient();
  const [beforeId, setBeforeId] = useState<string>();
  const pair = useQuery({
    queryKey: ["pair", projectId, model, beforeId],
    queryFn: () => api.learning.pair.query({ projectId, model, ...(beforeId !== undefined && { beforeId }) }),
    // One that is looked at stays until it is judged or skipped.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const judge = useMutation({
    mutationFn: (verdict: { readonly first: boolean; readonly second: boolean }) =>
      api.learning.judgePair.mutate({ projectId, pairId: pair.data?.id ?? "", ...verdict }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ["learning", projectId] }),
    meta: { showsError: true },
  });
  const goOn = () => {
    judge.reset();
    if (pair.data != null) setBeforeId(pair.data.id);
  };
  return { pair, judge, goOn };
}
