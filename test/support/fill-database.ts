import type { EntityMetadata, EntityName, EntityProperty } from "@mikro-orm/core";
import { newId } from "../../src/lib/ids.ts";
import { ENTITIES } from "../../src/store/entities/index.ts";
import type { Store } from "../../src/store/types/store.ts";

type Row = Record<string, unknown>;

const ALL: readonly EntityName[] = ENTITIES;

/**
 * Puts rows into every table of the entities, whatever these are: each value is made from the type of its column and
 * the number of its row, and is another one in each row. Every second row has null where it may. Tables that are named
 * have numbers of rows of their own.
 */
export async function fillDatabase(
  store: Store,
  rowsPerTable: number,
  rowsOf: Readonly<Record<string, number>> = {},
): Promise<void> {
  const em = store.fork();
  const made = new Map<string, readonly Row[]>();
  for (const entity of ALL) {
    const meta = em.getMetadata().get(entity) as EntityMetadata;
    const rows = Array.from({ length: rowsOf[meta.tableName] ?? rowsPerTable }, (_, index) =>
      makeRow(meta, index, made),
    );
    made.set(meta.tableName, rows);
    for (let start = 0; start < rows.length; start += 200)
      await em.insertMany(meta.class, rows.slice(start, start + 200));
  }
}

/** Puts a row, made likewise, into every table that has none yet. */
export async function fillEmptyTables(store: Store): Promise<void> {
  const em = store.fork();
  const made = new Map<string, readonly Row[]>();
  for (const entity of ALL) {
    const meta = em.getMetadata().get(entity) as EntityMetadata;
    const found = (await em.find(meta.class, {}, { limit: 1 })) as Row[];
    const rows = found.length > 0 ? found : [makeRow(meta, 0, made)];
    made.set(meta.tableName, rows);
    if (rows !== found) await em.insertMany(meta.class, rows);
  }
}

function makeRow(meta: EntityMetadata, index: number, made: ReadonlyMap<string, readonly Row[]>): Row {
  return Object.fromEntries(meta.props.map((property) => [property.name, makeValue(property, index, made)]));
}

function makeValue(property: EntityProperty, index: number, made: ReadonlyMap<string, readonly Row[]>): unknown {
  if (property.targetMeta !== undefined) {
    const [key = "id"] = property.targetMeta.primaryKeys;
    return made.get(property.targetMeta.tableName)?.[index]?.[key];
  }
  if (property.nullable === true && index % 2 === 1) return null;
  const type = property.columnTypes[0] ?? "";
  if (property.runtimeType === "boolean") return index % 3 === 0;
  if (property.runtimeType === "Date") return new Date(Date.UTC(2026, 10, 21, 2, 31, 0, 123) + index * 1001);
  if (property.runtimeType === "any") return [`ü ${index}`, "\"'\\", { b: [index, 0.5, null], a: true }];
  if (property.runtimeType === "number") return /double|real/.test(type) ? index + 0.1 : index + 1_000_000;
  if (/blob|bytea/.test(type))
    return Buffer.from(Array.from({ length: index * 7 }, (_, at) => (at * 37 + index) % 256));
  if (/uuid/i.test(property.type)) return newId();
  const text = `é ' " \\ 世界 👋 ${index}`;
  return property.length === undefined ? text : String(index).padStart(Math.min(property.length, 12), "x");
}

/** Reads every row of every table by MikroORM, in the order of the keys' texts. */
export async function readDatabase(store: Store): Promise<Record<string, readonly string[]>> {
  const em = store.fork();
  const tables: Record<string, readonly string[]> = {};
  for (const entity of ALL) {
    const meta = em.getMetadata().get(entity) as EntityMetadata;
    const rows = await em.find(meta.class, {});
    const texts = rows.map((row) => JSON.stringify(meta.props.map(({ name }) => comparable((row as Row)[name]))));
    tables[meta.tableName] = texts.sort();
  }
  return tables;
}

/** Members of objects in their alphabetical order, bytes as text. */
function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (value instanceof Date || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(comparable);
  if ("id" in value && Object.keys(value).length === 1) return value.id;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, inner]) => [name, comparable(inner)]));
}
