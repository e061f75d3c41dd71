import { LockMode } from "@mikro-orm/core";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { Project } from "../entities/project.ts";
import { WorkloadRebuild, type WorkloadRebuildRow } from "../entities/workload-rebuild.ts";
import type { Store } from "../types/store.ts";

/** The shortest and the longest time between two rebuilds of a project. */
const LEAST_REST_MS = 60_000;
const MOST_REST_MS = 86_400_000;
/** A project's rebuilds take a tenth of the time at most: after each one it rests nine times as long as that took. */
const REST_FACTOR = 9;

/** A rebuild was asked for too soon after the one before. */
export class RebuildTooSoon extends Error {
  override readonly name = "RebuildTooSoon";
  /** When the next one may be asked for. */
  readonly next: Date;

  constructor(next: Date) {
    super("the rebuild before ended a short while ago");
    this.next = next;
  }
}

/** A database that cannot be rebuilt from. */
export class RebuildImpossible extends Error {
  override readonly name = "RebuildImpossible";
}

/**
 * Asks for a rebuild of a project's learned state, which waits for those that were asked for earlier. Resolves to the
 * one that waits or runs already, where there is one. Throws RebuildImpossible, and with `isBounded` RebuildTooSoon.
 */
export async function requestRebuild(
  store: Store,
  projectId: string,
  { isBounded }: { readonly isBounded: boolean },
): Promise<WorkloadRebuildRow> {
  if (store.location === "memory") {
    throw new RebuildImpossible("is in a database in memory, which cannot be read at one moment: use a file");
  }
  return await store.unitOfWork(async (em) => {
    // Of several who ask at once, the others see the first one's.
    const project = await em.findOne(Project, projectId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const known = await em.findOne(WorkloadRebuild, projectId, { refresh: true });
    if (known !== null && !known.endedAt) return known;
    const next = known === null ? new Date(0) : rebuildRestEnd(known);
    if (isBounded && next.getTime() > Date.now()) throw new RebuildTooSoon(next);
    const { actor, via } = store.origin;
    const row = {
      actorKind: actor.kind,
      actorId: actor.id,
      actorLabel: actor.label,
      via,
      requestedAt: new Date(),
      state: "waiting" as const,
      startedAt: null,
      endedAt: null,
      workloads: 0,
      events: 0,
      problem: "",
    };
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "learning.requestRebuild",
      before: null,
      after: {},
      target: { kind: "project", id: projectId, name: project?.name ?? "" },
    });
    return known === null ? em.create(WorkloadRebuild, { projectId, ...row }) : Object.assign(known, row);
  });
}

/**
 * Cancels the rebuild of a project that waits or runs, which then replaces nothing; one that runs ends within seconds.
 * Resolves to the latest rebuild, which stays as it is where it has ended; undefined where none was asked for.
 */
export async function cancelRebuild(store: Store, projectId: string): Promise<WorkloadRebuildRow | undefined> {
  return await store.unitOfWork(async (em) => {
    // One that replaces the states at this moment is waited for, and done.
    const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true };
    const row = await em.findOne(WorkloadRebuild, projectId, locked);
    if (row === null || row.endedAt) return row ?? undefined;
    const project = await em.findOne(Project, projectId);
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "learning.cancelRebuild",
      before: null,
      after: { events: row.events },
      target: { kind: "project", id: projectId, name: project?.name ?? "" },
    });
    return Object.assign(row, { state: "canceled", endedAt: new Date() } as const);
  });
}

/** Reads the latest rebuild of a project; undefined where none was asked for. */
export async function readRebuild(store: Store, projectId: string): Promise<WorkloadRebuildRow | undefined> {
  return (await store.fork().findOne(WorkloadRebuild, projectId)) ?? undefined;
}

/** Returns when a project may be rebuilt again after a rebuild that has ended. */
export function rebuildRestEnd({ startedAt, endedAt }: WorkloadRebuildRow): Date {
  if (!startedAt || !endedAt) return new Date(0);
  const rest = REST_FACTOR * (endedAt.getTime() - startedAt.getTime());
  return new Date(endedAt.getTime() + Math.min(Math.max(rest, LEAST_REST_MS), MOST_REST_MS));
}
