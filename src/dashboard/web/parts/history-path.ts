import type { Range } from "../figures/range.ts";
import { toParameter } from "./times.ts";

/** Filters of the history, by the names of its parameters. */
export type RowsFilter = Readonly<
  Partial<
    Record<
      "model" | "answered" | "key" | "workload" | "upstream" | "status" | "reason" | "session" | "user" | "label",
      string
    >
  >
>;

/** Returns the address of the rows behind a figure: calls of a time, with filters. */
export function historyPath(projectId: string, { range, from, to }: Range, filter: RowsFilter): string {
  const time: Record<string, string> =
    from === undefined || to === undefined ? { since: range } : { from: toParameter(from), to: toParameter(to) };
  return `/projects/${projectId}/history?${new URLSearchParams({ ...time, ...filter })}`;
}

/** Returns the time that figures are of, to the second. */
export function windowRange({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): Range {
  return stepRange(fromMs, Math.ceil(toMs / 1000) * 1000 - fromMs);
}

/** Returns the time of one step of a chart. */
export function stepRange(startMs: number, stepMs: number): Range {
  const [from, to] = [new Date(startMs), new Date(startMs + stepMs)];
  return { range: "custom", from: from.toISOString(), to: to.toISOString() };
}
