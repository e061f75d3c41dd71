import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { api } from "../../api/client.ts";
import type { Range } from "../../figures/range.ts";
import { useProject } from "../../shell/session.ts";

/** Models of a workload beside each other. */
export type Comparison = Awaited<ReturnType<typeof api.models.compare.query>>;

/** One of the models. */
export type ComparedModel = Comparison["models"][number];

/** A metric of all of them. */
export type ComparedMetric = Comparison["metrics"][number];

interface ComparisonQuery {
  readonly range: Range;
  /** undefined is all of them; "" is calls that name none. */
  readonly workload: string | undefined;
  readonly intervalMs: number | false;
}

/** Reads the comparison. That of another time or workload stays, paler, until the asked one is there. */
export function useComparison({ range, workload, intervalMs }: ComparisonQuery) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["comparison", projectId, range, workload ?? null],
    queryFn: () => api.models.compare.query({ projectId, ...range, ...(workload === undefined ? {} : { workload }) }),
    placeholderData: (previous, query) => (query?.queryKey[1] === projectId ? keepPreviousData(previous) : undefined),
    refetchInterval: intervalMs,
  });
}

/** Returns the workload that the address names, and what puts another one there. */
export function useWorkload(): readonly [string | undefined, (workload: string | undefined) => void] {
  const [parameters, setParameters] = useSearchParams();
  const set = (workload: string | undefined) =>
    setParameters((old) => {
      const changed = new URLSearchParams(old);
      if (workload === undefined) changed.delete("workload");
      else changed.set("workload", workload);
      return changed;
    });
  return [parameters.get("workload") ?? undefined, set];
}
