import type { EntityName } from "@mikro-orm/core";
import { type Column, listColumns } from "../database/columns.ts";
import { AdminKey } from "../entities/admin-key.ts";
import { AuditEntry } from "../entities/audit.ts";
import { Conversation, ConversationItem } from "../entities/conversation.ts";
import { Dataset, DatasetRow } from "../entities/dataset.ts";
import { DatasetAnswer, DatasetRun } from "../entities/dataset-run.ts";
import { ENTITIES } from "../entities/index.ts";
import { Membership } from "../entities/membership.ts";
import { ProjectDeletion } from "../entities/project-deletion.ts";
import type { Store } from "../types/store.ts";

/** The audit log stays, and what is told of the deletion itself. */
const KEPT: readonly EntityName[] = [AuditEntry, ProjectDeletion];

/** They go with the row of the project, at the very end: until then owners see how far the deletion is. */
const LAST: readonly EntityName[] = [Membership, AdminKey];

/** Rows without a project of their own, each with the rows that they belong to and the column that says to which. */
const PARTS: readonly { readonly part: EntityName; readonly owner: EntityName; readonly by: string }[] = [
  { part: ConversationItem, owner: Conversation, by: "conversation_id" },
  { part: DatasetRow, owner: Dataset, by: "dataset_id" },
  { part: DatasetAnswer, owner: DatasetRun, by: "run_id" },
];

const PROJECT = "project_id";

/** A table with rows of projects. */
export interface TableOfProjects {
  readonly entity: EntityName;
  readonly name: string;
  /** Columns of the primary key, in its order. */
  readonly keys: readonly string[];
  /** Selects the rows of the project that is the only value of the query. */
  readonly condition: string;
}

/**
 * Returns the tables whose rows go with their project, in this order. A new table with a column `project_id` is one of
 * them.
 */
export function tablesOfProjects(store: Store): readonly TableOfProjects[] {
  const em = store.fork();
  const nameOf = (entity: EntityName) => em.getMetadata().get(entity).tableName;
  const parts = PARTS.map(({ part, owner, by }) =>
    toTable(store, part, `"${by}" in (select "id" from "${nameOf(owner)}" where "${PROJECT}" = ?)`),
  );
  const own = ENTITIES.filter((entity: EntityName) => {
    const isExempt = KEPT.includes(entity) || LAST.includes(entity);
    return !isExempt && listColumns(em, entity).some(({ name }) => name === PROJECT);
  });
  return [...parts, ...own.map((entity) => toTable(store, entity, `"${PROJECT}" = ?`))];
}

function toTable(store: Store, entity: EntityName, condition: string): TableOfProjects {
  const em = store.fork();
  const { tableName, primaryKeys } = em.getMetadata().get(entity);
  const columns = listColumns(em, entity);
  const keys = primaryKeys.flatMap((key) => columns.filter(({ property }: Column) => property === key));
  return { entity, name: tableName, keys: keys.map(({ name }) => name), condition };
}
