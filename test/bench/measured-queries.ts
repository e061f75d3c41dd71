import { findSession } from "../../src/store/read/find-session.ts";
import { compareModels } from "../../src/store/read/queries/compare-models.ts";
import { readFacets } from "../../src/store/read/queries/facets.ts";
import { listFeedback } from "../../src/store/read/queries/list-feedback.ts";
import { type InferenceListQuery, listInferences } from "../../src/store/read/queries/list-inferences.ts";
import { readMetrics } from "../../src/store/read/queries/metrics.ts";
import type { Bucket, TimeRange } from "../../src/store/read/queries/range.ts";
import { type CallDimension, readMeasures } from "../../src/store/read/queries/read-measures.ts";
import { readInferenceWithFeedback } from "../../src/store/read/read-inference.ts";
import type { Store } from "../../src/store/types/store.ts";
import { readSpend, readUsageReport } from "../../src/store/usage/read-usage-report.ts";

const DAY_MS = 86_400_000;

/** Every query of lists and charts, by what it shows, on the rows of scripts/seed. */
export function measuredQueries(store: Store, projectId: string, end: Date): Record<string, () => Promise<unknown>> {
  const last = (days: number): TimeRange => ({ from: new Date(end.getTime() - days * DAY_MS), to: end });
  const [day, month, year] = [last(1), last(30), last(365)];
  const usage = (query: Readonly<{ range: TimeRange; bucket: Bucket; by: readonly CallDimension[] }>) => () =>
    readMeasures(store, { projectId, ...query, measures: ["calls", "routed.calls", "tokens", "cost", "baseCost"] });
  const list = (query: Partial<InferenceListQuery>) => () => listInferences(store, { projectId, limit: 50, ...query });
  const session = latestSession(store, projectId);
  const rare = { workload: "evaluation", status: "failed", model: "gpt-6-astra" };
  return {
    "usage of a day by hour and model": usage({ range: day, bucket: "hour", by: ["model"] }),
    "usage of a month by hour and workload": usage({ range: month, bucket: "hour", by: ["workload"] }),
    "usage of a month by day and deployment": usage({ range: month, bucket: "day", by: ["upstream", "upstreamModel"] }),
    "usage of a year by day and key": usage({ range: year, bucket: "day", by: ["key"] }),
    "usage of a year by week and status": usage({ range: year, bucket: "week", by: ["status"] }),
    "totals of a year": usage({ range: year, bucket: "none", by: [] }),
    "report of a month by key and model": () =>
      readUsageReport(store, { projectId, ...month, groupBy: ["key", "model"] }),
    "report of a year by key": () => readUsageReport(store, { projectId, ...year, groupBy: ["key"] }),
    "report of a year by all dimensions": () =>
      readUsageReport(store, { projectId, ...year, groupBy: ["key", "model", "project", "workload"] }),
    "report of one key, a year by model": () =>
      readUsageReport(store, { projectId, ...year, groupBy: ["model"], keyId: "codereview01" }),
    "report of a day by session": () => readUsageReport(store, { projectId, ...day, groupBy: ["session"] }),
    "report of a month by end user": () => readUsageReport(store, { projectId, ...month, groupBy: ["end_user"] }),
    "report of a month by tag": () => readUsageReport(store, { projectId, ...month, groupBy: ["tag"] }),
    "report of a year by end user": () => readUsageReport(store, { projectId, ...year, groupBy: ["end_user"] }),
    "report of a year by end user and key": () =>
      readUsageReport(store, { projectId, ...year, groupBy: ["end_user", "key"] }),
    "spend of a year by end user and key": () => readSpend(store, { projectId, ...year, groupBy: ["end_user", "key"] }),
    "report of a year by key and tag": () => readUsageReport(store, { projectId, ...year, groupBy: ["key", "tag"] }),
    "comparison of models, a workload, a month": () =>
      compareModels(store, { projectId, range: month, workload: "support" }),
    "comparison of models, all, a year": () => compareModels(store, { projectId, range: year }),
    "metrics of a month by day": () => readMetrics(store, { projectId, range: month, bucket: "day", group: "none" }),
    "metrics of a year by model": () => readMetrics(store, { projectId, range: year, bucket: "none", group: "model" }),
    facets: () => readFacets(store, { projectId }),
    "facets of a month": () => readFacets(store, { projectId, ...month }),
    "list, newest": list({}),
    "list, from the middle of the year": list({ to: new Date(end.getTime() - 180 * DAY_MS) }),
    "list by model": list({ filter: { model: "claude-haiku-5-5" } }),
    "list by status": list({ filter: { status: "failed" } }),
    "list by three rare values": list({ filter: rare }),
    "list by what never occurs": list({ filter: { workload: "unknown" } }),
    "list by a month and a key": list({ ...month, filter: { keyId: "codereview01" } }),
    "list by tag": list({ tag: { key: "channel", value: "mail" } }),
    "list by tag and workload": list({ tag: { key: "channel", value: "mail" }, filter: { workload: "evaluation" } }),
    "list by metric": list({ metric: { name: "quality.score", compare: "<", value: 0.6 } }),
    "list by a metric that is never so": list({ metric: { name: "quality.score", compare: ">", value: 2 } }),
    "list of a session": async () => await list({ facts: { sessionId: await session() } })(),
    "list of an end user": list({ facts: { endUserId: "user-7" } }),
    "list of an end user, a month": list({ ...month, facts: { endUserId: "user-7" } }),
    "list by tag of calls": list({ facts: { callTag: { name: "team", value: "search" } } }),
    "list by tag of calls that is rare": list({ facts: { callTag: { name: "team", value: "nobody" } } }),
    "call that stands for a session": async () =>
      await findSession(store, { sessionId: await session(), projectId, keyId: "" }),
    "feedback, newest": () => listFeedback(store, { projectId, limit: 50 }),
    "feedback by name": () => listFeedback(store, { projectId, limit: 50, filter: { name: "comment" } }),
    "one inference with its feedback": oneInference(store, projectId),
  };
}

/** Returns what finds the id of the latest session, once. */
function latestSession(store: Store, projectId: string): () => Promise<string> {
  let id: string | null | undefined;
  return async () => {
    id ??= (await listInferences(store, { projectId, limit: 500 })).rows.find(({ sessionId }) => sessionId)?.sessionId;
    if (id == null) throw new Error("none of the latest calls has a session");
    return id;
  };
}

function oneInference(store: Store, projectId: string): () => Promise<unknown> {
  let id: string | undefined;
  return async () => {
    id ??= (await listFeedback(store, { projectId, limit: 1 })).rows[0]?.inferenceId;
    if (id === undefined) throw new Error("no inference has feedback");
    return await readInferenceWithFeedback(store, projectId, id);
  };
}
