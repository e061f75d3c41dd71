import { LockMode } from "@mikro-orm/core";
import type { Improvement } from "../../learning/improve/ports.ts";
import type { WorkloadKey } from "../../learning/workload.ts";
import { newId } from "../../lib/ids.ts";
import type { ImprovementEnd } from "../../vocabulary/improvement.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { databaseTime } from "../database/clock.ts";
import { Project } from "../entities/project.ts";
import { WorkloadImprovement, type WorkloadImprovementRow } from "../entities/workload-improvement.ts";
import type { Store } from "../types/store.ts";

/** An improvement that nobody has said of for so long that it goes on has lost its process. */
const SILENT_MS = 30_000;

/** An improvement as somebody asks for it. */
type NewImprovement = Pick<Improvement, "key" | "models" | "mostNanos" | "mostCalls">;

/**
 * Asks for an improvement of a workload, which begins within seconds. Resolves to the one that waits or runs already,
 * where there is one.
 */
export async function requestImprovement(
  store: Store,
  { key: { projectId, model }, models, mostNanos, mostCalls }: NewImprovement,
): Promise<WorkloadImprovementRow> {
  const known = await store.unitOfWork(async (em) => {
    // Of several who ask at once, the others see the first one's.
    await em.findOne(Project, projectId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const earlier = await em.findOne(WorkloadImprovement, { projectId, model }, { refresh: true });
    if (earlier !== null && !earlier.endedAt) return earlier;
    const { actor, via } = store.origin;
    const row = {
      id: newId(),
      actorKind: actor.kind,
      actorId: actor.id,
      actorLabel: actor.label,
      via,
      requestedAt: new Date(),
      models: JSON.stringify(models),
      mostNanos,
      mostCalls,
      state: "waiting" as const,
      holder: null,
      beatAt: null,
      startedAt: null,
      endedAt: null,
      ending: null,
      calls: 0,
      checks: 0,
      spentNanos: 0,
    };
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "learning.requestImprovement",
      before: null,
      after: { models, mostNanos, mostCalls },
      target: { kind: "workload", id: model, name: model },
    });
    return earlier === null
      ? em.create(WorkloadImprovement, { projectId, model, ...row })
      : Object.assign(earlier, row);
  });
  return await counted(store, known);
}

/** Ends the improvement that waits or runs; one that runs makes no more calls within seconds. */
export async function cancelImprovement(
  store: Store,
  { projectId, model }: WorkloadKey,
): Promise<WorkloadImprovementRow | undefined> {
  const known = await readImprovement(store, { projectId, model });
  if (known === undefined || known.endedAt) return known;
  const row = await store.unitOfWork(async (em) => {
    const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true };
    const open = await em.findOne(WorkloadImprovement, { projectId, model }, locked);
    if (open === null || open.endedAt) return open ?? undefined;
    const { calls, checks, spentNanos } = known;
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "learning.cancelImprovement",
      before: null,
      after: { calls, spentNanos },
      target: { kind: "workload", id: model, name: model },
    });
    return Object.assign(open, { state: "canceled", endedAt: new Date(), calls, checks, spentNanos } as const);
  });
  return row;
}

/** Reads the latest improvement of a workload with what it has done so far; undefined where none was asked for. */
export async function readImprovement(
  store: Store,
  { projectId, model }: WorkloadKey,
): Promise<WorkloadImprovementRow | undefined> {
  const row = await store.fork().findOne(WorkloadImprovement, { projectId, model });
  return row === null ? undefined : await counted(store, row);
}

/** Takes the improvement that has waited longest, or one that lost its process; undefined where there is none. */
export async function takeImprovement(store: Store, holder: string): Promise<Improvement | undefined> {
  const open = store
    .query()
    .selectFrom("WorkloadImprovement")
    .select(["id", "holder"])
    .where((is) =>
      is.or([
        is("state", "=", "waiting"),
        is.and([is("state", "=", "running"), is("beatAt", "<", databaseTime(store, -SILENT_MS))]),
      ]),
    )
    .orderBy("requestedAt");
  for (const { id, holder: before } of await open.execute()) {
    const taken = await store
      .query()
      .updateTable("WorkloadImprovement")
      .set({ state: "running", holder, beatAt: databaseTime(store) })
      .where("id", "=", id)
      .where("endedAt", "is", null)
      // Whoever took it meanwhile is another one.
      .where("holder", before === null ? "is" : "=", before)
      .returningAll()
      .executeTakeFirst();
    if (taken === undefined) continue;
    const begun = store
      .query()
      .updateTable("WorkloadImprovement")
      .set({ startedAt: databaseTime(store) });
    await begun.where("id", "=", id).where("startedAt", "is", null).execute();
    const { calls } = await countTrials(store, id);
    return {
      id,
      key: { projectId: taken.projectId, model: taken.model },
      models: JSON.parse(taken.models) as string[],
      mostNanos: Number(taken.mostNanos),
      mostCalls: taken.mostCalls,
      requestedAtMs: taken.requestedAt.getTime(),
      calls,
    };
  }
  return undefined;
}

/** Says that an improvement goes on. Resolves to false where it is to end, or another process has it. */
export async function beatImprovement(store: Store, id: string, holder: string): Promise<boolean> {
  const own = store
    .query()
    .updateTable("WorkloadImprovement")
    .set({ beatAt: databaseTime(store) })
    .where("id", "=", id)
    .where("state", "=", "running")
    .where("holder", "=", holder);
  return (await own.returning("id").executeTakeFirst()) !== undefined;
}

/** Writes how an improvement of a process has ended; undefined has it wait for another process. */
export async function endImprovement(
  store: Store,
  { id, holder }: { readonly id: string; readonly holder: string },
  ending: ImprovementEnd | undefined,
): Promise<void> {
  const own = store
    .query()
    .updateTable("WorkloadImprovement")
    .where("id", "=", id)
    .where("state", "=", "running")
    .where("holder", "=", holder);
  if (ending === undefined) {
    await own.set({ state: "waiting", holder: null, beatAt: null }).execute();
    return;
  }
  const done = await countTrials(store, id);
  await own.set({ state: "done", ending, endedAt: databaseTime(store), holder: null, ...done }).execute();
}

/** Adds what an improvement has done so far. */
async function counted(store: Store, row: WorkloadImprovementRow): Promise<WorkloadImprovementRow> {
  const { calls, checks, spentNanos } = await countTrials(store, row.id);
  // Trials are deleted with their inferences, and the last ones of one that is canceled end after it.
  return {
    ...row,
    calls: Math.max(row.calls, calls),
    checks: Math.max(row.checks, checks),
    spentNanos: Math.max(Number(row.spentNanos), spentNanos),
  };
}

async function countTrials(store: Store, id: string) {
  const rows = await store
    .query()
    .selectFrom("ShadowTrial")
    .select(["kind", ({ fn }) => fn.countAll().as("count"), ({ fn }) => fn.sum("costNanos").as("nanos")])
    .where("improvementId", "=", id)
    .groupBy("kind")
    .execute();
  const sums = { calls: 0, checks: 0, spentNanos: 0 };
  for (const { kind, count, nanos } of rows) {
    sums[kind === "trial" ? "calls" : "checks"] += Number(count);
    sums.spentNanos += Number(nanos ?? 0);
  }
  return sums;
}
