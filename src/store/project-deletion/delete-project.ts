import { LockMode } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/sql";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { checkOwned } from "../dashboard/check-owned.ts";
import { ApiKey } from "../entities/api-key.ts";
import { DatasetRun } from "../entities/dataset-run.ts";
import { Membership } from "../entities/membership.ts";
import { DEFAULT_PROJECT, Project } from "../entities/project.ts";
import { ProjectDeletion, type ProjectDeletionRow } from "../entities/project-deletion.ts";
import { tellOfSecrets } from "../keys/tell-of-key.ts";
import type { Engine, Store } from "../types/store.ts";

/** The time in which a deletion can be undone. */
const UNDO_MS = 86_400_000;

/**
 * Deletes a project: from now on nobody sees it, its keys are refused, and its name is free. Its data goes a day later,
 * in the background. Resolves to the deletion, which is the known one for a project that was deleted before; to
 * undefined where there is no such project, and for the default one, which commands and `bootstrapKey` go by.
 */
export async function deleteProject(store: Store, projectId: string): Promise<ProjectDeletionRow | undefined> {
  if (projectId === DEFAULT_PROJECT.id) return undefined;
  return await store.unitOfWork(async (em) => {
    const project = await em.findOne(Project, projectId, LOCK);
    if (project === null) return undefined;
    if (project.deletedAt) return (await em.findOne(ProjectDeletion, projectId)) ?? undefined;
    const { name } = project;
    const now = new Date();
    // Ends with a space, as no name does that people give: nobody can have it.
    project.name = `${projectId} `;
    project.deletedAt = now;
    const { actor, via } = store.origin;
    const deletion = em.create(ProjectDeletion, {
      projectId,
      name,
      actorKind: actor.kind,
      actorId: actor.id,
      actorLabel: actor.label,
      via,
      requestedAt: now,
      dueAt: new Date(now.getTime() + UNDO_MS),
      state: "waiting",
      beatAt: now,
      endedAt: null,
      inferences: 0,
      feedback: 0,
      conversations: 0,
    });
    await em.nativeUpdate(DatasetRun, { projectId, state: "running" }, { cancelRequested: true });
    await tellOfKeys(em, store.engine, projectId);
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "projects.delete",
      target: { kind: "project", id: projectId, name },
      before: { name, deletesDataAt: null },
      after: { name: null, deletesDataAt: deletion.dueAt },
    });
    return deletion;
  });
}

/**
 * Undoes a deletion: the project is there again, with its keys. Resolves to "name-taken" where another project has its
 * name by now; to undefined where it is not deleted, or its data goes already. Throws QuotaError where an owner owns as
 * many others as one person may.
 */
export async function restoreProject(store: Store, projectId: string): Promise<"restored" | "name-taken" | undefined> {
  return await store.unitOfWork(async (em) => {
    const project = await em.findOne(Project, projectId, LOCK);
    const deletion = await em.findOne(ProjectDeletion, { projectId, state: "waiting" }, LOCK);
    if (project === null || deletion === null) return undefined;
    const { name } = deletion;
    if ((await em.count(Project, { name })) > 0) return "name-taken";
    const own = { project: projectId, role: "owner", grantedBy: null };
    // In one order: of two who restore projects of the same owners neither waits for the other for ever.
    const owners = await em.find(Membership, own, { orderBy: { user: "asc" } });
    for (const { user } of owners) await checkOwned(em, user.id, store.quotas);
    project.name = name;
    project.deletedAt = null;
    em.remove(deletion);
    await tellOfKeys(em, store.engine, projectId);
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "projects.restore",
      target: { kind: "project", id: projectId, name },
      before: { name: null, deletesDataAt: deletion.dueAt },
      after: { name, deletesDataAt: null },
    });
    return "restored";
  });
}

const LOCK = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;

async function tellOfKeys(em: SqlEntityManager, engine: Engine, projectId: string): Promise<void> {
  const keys = await em.find(ApiKey, { project: projectId, revokedAt: null }, { fields: ["hash", "previousHash"] });
  for (const { hash, previousHash } of keys) await tellOfSecrets(em, engine, { hash, previousHash });
}
