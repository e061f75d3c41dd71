import { LockMode } from "@mikro-orm/core";
import type { Kysely } from "@mikro-orm/sql";
import { type AuditState, appendAuditEntry } from "../audit/append-entry.ts";
import { type BodyPolicy, DEFAULT_BODY_POLICY } from "../bodies/body-policy.ts";
import { CHANNELS } from "../changes/change-feed.ts";
import { notifyChange } from "../changes/notify-change.ts";
import { createExecutor } from "../database/executor.ts";
import { Project } from "../entities/project.ts";
import type { Store } from "../types/store.ts";
import { query, type Tables } from "../types/tables.ts";

/** A change of a project's settings; absent members stay. */
export interface SettingsChange {
  /** The body policy from now on. */
  readonly bodies?: BodyPolicy;
  /** Names of all optimisations that are switched off. */
  readonly optimizationsOff?: readonly string[];
  /** All names of its own for models, each with the name of a model. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/**
 * Sets what is set of a project, and tells the other processes. Of several who set the same at once, the last one
 * decides.
 */
export async function writeSettings(store: Store, projectId: string, change: SettingsChange): Promise<void> {
  const { bodies, optimizationsOff, aliases } = change;
  const row = {
    ...(bodies !== undefined && { bodies }),
    ...(optimizationsOff !== undefined && { optimizationsOff: [...optimizationsOff] }),
    ...(aliases !== undefined && { aliases: { ...aliases } }),
    updatedAt: new Date(),
  };
  await store.unitOfWork(async (em) => {
    const tables = query(em);
    // Of two who change the settings at once, the second one sees the first's.
    const project = await em.findOne(Project, projectId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const before = await readSettings(tables, projectId);
    await tables
      .insertInto("ProjectSettings")
      .values({ project: projectId, bodies: DEFAULT_BODY_POLICY, ...row })
      .onConflict((conflict) => conflict.column("project").doUpdateSet(row))
      .execute();
    await notifyChange(createExecutor(tables), store.engine, { channel: CHANNELS.settings });
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "projectSettings.set",
      target: { kind: "project", id: projectId, name: project?.name ?? "" },
      before,
      after: await readSettings(tables, projectId),
    });
  });
}

async function readSettings(tables: Kysely<Tables>, projectId: string): Promise<AuditState> {
  const found = await tables
    .selectFrom("ProjectSettings")
    .select(["bodies", "optimizationsOff", "aliases"])
    .where("project", "=", projectId)
    .executeTakeFirst();
  const { bodies = DEFAULT_BODY_POLICY, optimizationsOff, aliases } = found ?? {};
  return { bodies, optimizationsOff: optimizationsOff ?? [], aliases: aliases ?? {} };
}
