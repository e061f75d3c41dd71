import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { api } from "../../api/client.ts";
import type { Range } from "../../figures/range.ts";
import { useProject } from "../../shell/session.ts";

/** A ranking by what calls cost. */
export type Ranking = Awaited<ReturnType<typeof api.spend.ranking.query>>;

/** A budget, with what is left of it. */
export type Budget = Awaited<ReturnType<typeof api.spend.budgets.query>>["budgets"][number];

/** The facts that calls are told apart by, with the filter of the history that finds them. */
export const DIMENSIONS = [
  { value: "key", label: "By key", filter: "key" },
  { value: "end_user", label: "By end user", filter: "user" },
  { value: "session", label: "By session", filter: "session" },
  { value: "tag", label: "By tag", filter: "label" },
  { value: "model", label: "By model asked for", filter: "model" },
  { value: "workload", label: "By workload", filter: "workload" },
] as const;

/** One of them. */
export type Dimension = (typeof DIMENSIONS)[number];

/** Returns what the address ranks by, and what puts another one there. */
export function useDimension(): readonly [Dimension, (value: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const found = DIMENSIONS.find(({ value }) => value === parameters.get("by")) ?? DIMENSIONS[0];
  const set = (value: string) =>
    setParameters((old) => {
      const changed = new URLSearchParams(old);
      changed.set("by", value);
      return changed;
    });
  return [found, set];
}

/** Reads the ranking of a time; another one stays until it is there. */
export function useRanking(range: Range, by: Dimension["value"]) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["spend", projectId, range, by],
    queryFn: () => api.spend.ranking.query({ projectId, ...range, by }),
    placeholderData: (previous, query) => (query?.queryKey[1] === projectId ? keepPreviousData(previous) : undefined),
    refetchInterval: 30_000,
  });
}

/** Reads the budgets of the project. */
export function useBudgets() {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["budgets", projectId],
    queryFn: () => api.spend.budgets.query({ projectId }),
    refetchInterval: 30_000,
  });
}
