import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../../web/api/client.ts";
import { type Outputs, trpc } from "../../../../web/api/trpc.ts";
import { useProject } from "../../../../web/shell/session.ts";

/** A pair of answers that nobody has judged yet. */
export type Pair = NonNullable<Outputs["learning"]["pair"]>;

/** A pair that was judged, with the models of its answers. */
export type JudgedPair = Outputs["learning"]["judgePair"];

/** Pairs that wait for a verdict are no more. */
const MOST_SKIPPED = 200;

const { list, read, history, outlooks } = trpc.learning;
const CHANGED = [list, read, history, outlooks].map((procedure) => procedure.pathFilter());

/** Reads a pair of a workload, takes a verdict on it, and goes on to the next one. */
export function usePair(model: string) {
  const { id: projectId } = useProject();
  const [skippedIds, setSkippedIds] = useState<readonly string[]>([]);
  const pair = useQuery(
    trpc.learning.pair.queryOptions(
      { projectId, model, skippedIds: [...skippedIds] },
      // One that is looked at stays until it is judged or skipped.
      { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
    ),
  );
  const judge = useMutation({
    mutationFn: (verdict: { readonly first: boolean; readonly second: boolean }) =>
      api.learning.judgePair.mutate({ projectId, pairId: pair.data?.id ?? "", ...verdict }),
    // The pair stays, with what is known of it now.
    meta: { showsError: true, changes: CHANGED },
  });
  const goOn = () => {
    judge.reset();
    const { data } = pair;
    // One that was judged is among them too, so that the next one is asked for.
    if (data != null) setSkippedIds((before) => [...before, data.id].slice(-MOST_SKIPPED));
  };
  return { pair, judge, goOn };
}
