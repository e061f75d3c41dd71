import type { MemorySnapshot } from "../../learning/learner/workload-model.ts";
import type { WorkloadKey } from "../../learning/workload.ts";
import type { WorkloadEventRow } from "../entities/learning.ts";
import type { Store } from "../types/store.ts";

/** The summary of a workload. */
interface WorkloadSummary {
  readonly key: WorkloadKey;
  readonly version: number;
  readonly updatedAt: Date;
  /** Rewards that were learned from. */
  readonly rewards: number;
}

/** Reads what was learned of a workload; undefined where that is nothing. */
export async function readWorkload(
  store: Store,
  { projectId, model }: WorkloadKey,
): Promise<(WorkloadSummary & { readonly learned: MemorySnapshot | undefined }) | undefined> {
  const row = await store
    .query()
    .selectFrom("LearnedState")
    .selectAll()
    .where("projectId", "=", projectId)
    .where("model", "=", model)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { version, updatedAt, rewards, snapshot } = row;
  const learned = snapshot === null || snapshot === undefined ? undefined : (JSON.parse(snapshot) as MemorySnapshot);
  return { key: { projectId, model }, version, updatedAt, rewards, learned };
}

/** Reads a page of the workloads of a project of which anything was learned, by their models: those after `after`. */
export async function readWorkloadPage(
  store: Store,
  projectId: string,
  { after, most }: { readonly after: string; readonly most: number },
): Promise<WorkloadSummary[]> {
  const rows = await store
    .query()
    .selectFrom("LearnedState")
    .select(["projectId", "model", "version", "updatedAt", "rewards"])
    .where("projectId", "=", projectId)
    .where("model", ">", after)
    .orderBy("model")
    .limit(most)
    .execute();
  return rows.map(({ projectId, model, ...facts }) => ({ key: { projectId, model }, ...facts }));
}

/** The query of a part of a history. */
interface HistoryPart {
  /** Id of the event that those that are read come before; the latest if absent. */
  readonly before?: string;
  /** True if what happened to all of the project is read with it. */
  readonly withProject?: boolean;
}

/** Reads what happened to a workload, the latest first. */
export async function readWorkloadHistory(
  store: Store,
  { projectId, model }: WorkloadKey,
  most: number,
  { before, withProject = false }: HistoryPart = {},
): Promise<WorkloadEventRow[]> {
  const events = store
    .query()
    .selectFrom("WorkloadEvent")
    .selectAll()
    .where("projectId", "=", projectId)
    .where("model", "in", withProject ? [model, ""] : [model]);
  const part = before === undefined ? events : events.where("id", "<", before);
  return await part.orderBy("id", "desc").limit(most).execute();
}
