import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import type { Range } from "../../figures/range.ts";
import { useProject } from "../../shell/session.ts";

/** All metrics of a time. */
export type FeedbackSummary = Awaited<ReturnType<typeof api.feedback.summary.query>>;

/** One of them. */
export type FeedbackMetric = FeedbackSummary["metrics"][number];

/** The details of one metric. */
export type MetricDetail = Awaited<ReturnType<typeof api.feedback.metric.query>>;

/** One entry. */
export type FeedbackEntry = Awaited<ReturnType<typeof api.feedback.entries.query>>["entries"][number];

const REFRESH_MS = 30_000;
const PAGE_SIZE = 20;

/** Reads all metrics of a time. */
export function useSummary(range: Range) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["feedback", "summary", projectId, range],
    queryFn: () => api.feedback.summary.query({ projectId, ...range }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

/** Reads one metric by model and by workload. */
export function useMetric(range: Range, { name, kind }: Pick<FeedbackMetric, "name" | "kind">) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["feedback", "metric", projectId, range, name, kind],
    queryFn: () => api.feedback.metric.query({ projectId, ...range, name, kind: kind as "boolean" | "float" | "note" }),
    refetchInterval: REFRESH_MS,
  });
}

/** Reads entries page by page, of one metric or of all. */
export function useEntries(metric: Pick<FeedbackMetric, "name" | "kind"> | undefined) {
  const { id: projectId } = useProject();
  const filter = metric === undefined ? {} : { name: metric.name, kind: metric.kind as "boolean" | "float" | "note" };
  return useInfiniteQuery({
    queryKey: ["feedback", "entries", projectId, filter],
    queryFn: ({ pageParam }) =>
      api.feedback.entries.query({
        ...{ projectId, limit: PAGE_SIZE, ...filter },
        ...(pageParam === "" ? {} : { cursor: pageParam }),
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

/** Searches notes page by page. */
export function useNotes(text: string) {
  const { id: projectId } = useProject();
  return useInfiniteQuery({
    queryKey: ["feedback", "notes", projectId, text],
    queryFn: ({ pageParam }) =>
      api.feedback.notes.query({
        ...{ projectId, limit: PAGE_SIZE, text },
        ...(pageParam === "" ? {} : { cursor: pageParam }),
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

/** Reads an inference that feedback could be sent on. */
export function useExample() {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ["feedback", "example", projectId],
    queryFn: () => api.feedback.example.query({ projectId }),
  });
}
