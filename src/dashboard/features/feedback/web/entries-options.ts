import { trpc } from "../../../web/api/trpc.ts";
import type { FeedbackMetric, MetricKind } from "./types.ts";

const PAGE_SIZE = 20;

/** Reads entries page by page, of one metric or of all. */
export function entriesOptions(projectId: string, metric?: Pick<FeedbackMetric, "name" | "kind">) {
  const filter = metric && { name: metric.name, kind: metric.kind as MetricKind };
  return trpc.feedback.entries.infiniteQueryOptions(
    { projectId, limit: PAGE_SIZE, ...filter },
    { getNextPageParam: ({ next }) => next },
  );
}
