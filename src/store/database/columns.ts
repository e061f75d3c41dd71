import type { EntityName, EntityProperty } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/sql";

/** A column as bulk statements need it. */
export interface Column {
  readonly property: string;
  readonly name: string;
  /** Type of the column in the engine's words: timestamptz(3). */
  readonly type: string;
  readonly isKey: boolean;
  /** Returns a property's value as SQLite holds it. */
  toSqlite(value: unknown): unknown;
  /** Returns what either engine holds as the property's value. */
  fromDatabase(value: unknown): unknown;
}

/** Returns the columns of an entity in the order of its properties. */
export function listColumns(em: SqlEntityManager, entity: EntityName): readonly Column[] {
  return em.getMetadata().get(entity).props.map(getColumn);
}

function getColumn(property: EntityProperty): Column {
  const [name, ...others] = property.fieldNames;
  const [type] = property.columnTypes;
  if (name === undefined || type === undefined || others.length > 0) {
    throw new Error(`the property ${property.name} has not one column`);
  }
  return { property: property.name, name, type, isKey: property.primary === true, ...CONVERSIONS[getKind(property)] };
}

type Kind = "boolean" | "Date" | "any" | "number" | "plain";
type Conversions = Pick<Column, "toSqlite" | "fromDatabase">;

function getKind({ runtimeType }: EntityProperty): Kind {
  return KINDS.find((kind) => kind === runtimeType) ?? "plain";
}

const KINDS: readonly Kind[] = ["boolean", "Date", "any", "number"];
const asIs = (value: unknown) => value;
const unlessNull = (convert: (value: unknown) => unknown) => (value: unknown) =>
  value === null ? null : convert(value);

const CONVERSIONS: Record<Kind, Conversions> = {
  boolean: { toSqlite: unlessNull(Number), fromDatabase: unlessNull(Boolean) },
  Date: {
    toSqlite: (value) => (value instanceof Date ? value.getTime() : null),
    fromDatabase: unlessNull(
      (value) => new Date(value instanceof Date || typeof value === "number" ? value : String(value)),
    ),
  },
  // JSON of any form.
  any: {
    toSqlite: unlessNull((value) => JSON.stringify(value)),
    fromDatabase: (value) => (typeof value === "string" ? JSON.parse(value) : value),
  },
  // PostgreSQL's driver gives large integers as text.
  number: { toSqlite: asIs, fromDatabase: unlessNull(Number) },
  plain: { toSqlite: asIs, fromDatabase: asIs },
};
