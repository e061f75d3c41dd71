import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../../web/api/trpc.ts";
import type { AnswerFigures } from "../../../web/parts/answer-facts.tsx";
import type { Exchange } from "./exchange.ts";

/** Records are written behind the answer: they are asked for until they are there. */
const AGAIN_MS = 400;
const MOST_TRIES = 25;

interface CallFigures {
  readonly figures: AnswerFigures;
  /** Paths of what the upstream's format could not carry. */
  readonly losses: readonly string[];
}

/** Reads what a call took and cost from its record; its tokens and its end are known from the answer. */
export function useCallFigures({ answer, servedBy, request }: Exchange): CallFigures {
  const { data } = useRecord(request.projectId, answer.id);
  const { usage } = answer;
  const figures = {
    costNanos: data?.costNanos,
    usageEstimated: data?.usageEstimated ?? false,
    latencyMs: data?.latencyMs,
    timeToFirstTokenMs: data?.timeToFirstTokenMs,
    promptTokens: usage?.inputTokens ?? null,
    cacheReadTokens: usage?.cachedTokens,
    outputTokens: usage?.outputTokens ?? null,
    reasoningTokens: usage?.reasoningTokens,
    servedBy: data?.upstream || servedBy || undefined,
    ending: answer.finish || data?.status,
    isPending: !data,
  };
  return { figures, losses: data?.translationLosses ?? [] };
}

function useRecord(projectId: string, inferenceId: string) {
  return useQuery(
    trpc.playground.facts.queryOptions(
      { projectId, inferenceId },
      {
        enabled: inferenceId !== "",
        refetchInterval: ({ state }) => (state.data || state.dataUpdateCount > MOST_TRIES ? false : AGAIN_MS),
      },
    ),
  );
}
