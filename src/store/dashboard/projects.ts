import { UniqueConstraintViolationException } from "@mikro-orm/core";
import { newId } from "../../lib/ids.ts";
import type { QuotaChange } from "../../quotas/quota-settings.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { Membership } from "../entities/membership.ts";
import { DEFAULT_PROJECT, Project } from "../entities/project.ts";
import { listProjectDeletions } from "../project-deletion/list-deletions.ts";
import { writeQuotaIn } from "../quotas/write-quota.ts";
import type { Store } from "../types/store.ts";
import { query } from "../types/tables.ts";
import { checkOwned } from "./check-owned.ts";
import type { OwnProject } from "./memberships.ts";

/** Projects, as their members change them. */
export interface Projects {
  /**
   * Creates a project, with its first owner and its limits where they are given. Resolves to undefined if the name is
   * taken. Throws QuotaError.
   */
  create(name: string, ownerId?: string, quota?: QuotaChange): Promise<OwnProject | undefined>;
  /** Resolves to whether it was renamed: names are unique. */
  rename(id: string, name: string): Promise<boolean>;
  /** Lists deletions of projects that a person owns, until all their data is gone. */
  listDeletions(userId: string): Promise<readonly OwnDeletion[]>;
}

/** A deletion, as an owner of the project sees it. */
interface OwnDeletion {
  readonly projectId: string;
  readonly name: string;
  /** The address of the person who deleted it, or the name of the key. */
  readonly by: string;
  readonly requestedAt: Date;
  readonly dueAt: Date;
  readonly isRunning: boolean;
  /** Deleted so far. */
  readonly inferences: number;
}

/** Creates the projects of a database. */
export function createProjects(store: Store): Projects {
  return {
    async create(name, ownerId, quota) {
      const [id, createdAt] = [newId(), new Date()];
      const isNew = await unlessTaken(() =>
        store.unitOfWork(async (em) => {
          if (ownerId !== undefined) await checkOwned(em, ownerId, store.quotas);
          const project = em.create(Project, { id, name, createdAt, deletedAt: null });
          if (ownerId !== undefined) em.create(Membership, { project, user: ownerId, role: "owner", createdAt });
          appendAuditEntry(em, {
            ...store.origin,
            projectId: id,
            action: "projects.create",
            target: { kind: "project", id, name },
            before: null,
            after: { name, ownerId, limits: quota },
          });
          if (quota === undefined) return;
          const owner = { kind: "project", projectId: id, name: "" } as const;
          await writeQuotaIn({ tables: query(em), engine: store.engine }, { owner, change: quota });
        }),
      );
      return isNew ? { id, name, role: "owner" } : undefined;
    },
    rename: (id, name) =>
      unlessTaken(() =>
        store.unitOfWork(async (em) => {
          const project = await em.findOne(Project, { id, deletedAt: null });
          if (project === null) return;
          const before = { name: project.name };
          project.name = name;
          appendAuditEntry(em, {
            ...store.origin,
            projectId: id,
            action: "projects.rename",
            target: { kind: "project", id, name },
            before,
            after: { name },
          });
        }),
      ),
    listDeletions: (userId) => readDeletions(store, userId),
  };
}

/** Most deletions of projects of a person that are listed. */
const MOST_DELETIONS = 100;

async function readDeletions(store: Store, userId: string): Promise<readonly OwnDeletion[]> {
  const deleted = { user: userId, role: "owner", project: { deletedAt: { $ne: null } } };
  const own = await store.fork().find(Membership, deleted, { limit: MOST_DELETIONS });
  const projectIds = own.map(({ project }) => project.id);
  if (projectIds.length === 0) return [];
  const rows = await listProjectDeletions(store, { projectIds, limit: MOST_DELETIONS });
  return rows.map(({ projectId, name, actorLabel, requestedAt, dueAt, state, inferences }) => ({
    projectId,
    name,
    by: actorLabel,
    requestedAt,
    dueAt,
    isRunning: state !== "waiting",
    inferences,
  }));
}

/** Tells whether a project is the one that is there from the start, and stays. */
export function isDefaultProject(id: string): boolean {
  return id === DEFAULT_PROJECT.id;
}

/** Resolves to false where the database has the name already: it is what tells, of several who want it at once. */
async function unlessTaken(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof UniqueConstraintViolationException) return false;
    throw error;
  }
}
