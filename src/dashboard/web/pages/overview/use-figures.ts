import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import type { Range } from "../../figures/range.ts";
import { useProject } from "../../shell/session.ts";
import type { GroupName } from "./groups.ts";

/** Figures of a time. */
export type Figures = Awaited<ReturnType<typeof api.overview.figures.query>>;

/** The figures of a set of calls. */
export type Shown = Figures["compared"]["now"];

/** Name of what a chart shows. */
export type ColumnName = keyof Figures["all"];

interface FiguresQuery {
  readonly range: Range;
  readonly group: GroupName;
  readonly intervalMs: number | false;
}

/** Reads the figures of the project. Those of another time stay, paler, until the asked ones are there. */
export function useFigures({ range, group, intervalMs }: FiguresQuery) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["figures", projectId, range, group],
    queryFn: () => api.overview.figures.query({ projectId, ...range, group }),
    placeholderData: (previous, query) => (query?.queryKey[1] === projectId ? keepPreviousData(previous) : undefined),
    refetchInterval: intervalMs,
  });
}
