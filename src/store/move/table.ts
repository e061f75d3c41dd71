import type { EntityMetadata, EntityName } from "@mikro-orm/core";
import { type Column, listColumns } from "../database/columns.ts";
import type { Orm } from "../database/orm.ts";
import { ENTITIES } from "../entities/index.ts";

/** A table as a move sees it. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Columns of the primary key, in its order. */
  readonly keys: readonly Column[];
  /** Columns whose values may have megabytes. */
  readonly blobs: readonly Column[];
}

const KEPT: readonly EntityName[] = ENTITIES;

/** Returns the tables of what is kept, which both engines have: those that others refer to go before these. */
export function listTables(orm: Orm): readonly Table[] {
  const entities = KEPT.map((entity) => orm.getMetadata().get(entity));
  const ordered: EntityMetadata[] = [];
  const visit = (entity: EntityMetadata): void => {
    if (ordered.includes(entity)) return;
    for (const other of entities) if (other !== entity && refersTo(entity, other)) visit(other);
    ordered.push(entity);
  };
  for (const entity of entities) visit(entity);
  return ordered.map((entity) => toTable(orm, entity));
}

function refersTo(entity: EntityMetadata, other: EntityMetadata): boolean {
  return entity.props.some(({ targetMeta }) => targetMeta?.tableName === other.tableName);
}

function toTable(orm: Orm, entity: EntityMetadata): Table {
  const columns = listColumns(orm.em, entity.class);
  const keys = entity.primaryKeys.flatMap((key) => columns.filter(({ property }) => property === key));
  const blobs = columns.filter(({ type }) => /^(bytea|blob)/i.test(type));
  return { name: entity.tableName, columns, keys, blobs };
}
