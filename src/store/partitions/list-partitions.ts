import { readRows } from "../database/executor.ts";
import type { Store } from "../types/store.ts";

/** A partition as the database has it. */
interface Partition {
  readonly name: string;
  /** Its ids are not less than the first, and less than the second. Undefined for the partition of strays. */
  readonly bounds: { readonly fromId: string; readonly beforeId: string } | undefined;
}

const LIST = `
select child.relname as name, pg_get_expr(child.relpartbound, child.oid) as bound
from pg_inherits join pg_class child on child.oid = inhrelid
where inhparent = to_regclass(?) order by child.relname`;

/** Lists the partitions of a table on PostgreSQL. */
export async function listPartitions(store: Store, table: string): Promise<Partition[]> {
  const rows = await readRows<{ name: string; bound: string }>(store, LIST, [table]);
  return rows.map(({ name, bound }) => ({ name, bounds: parseBound(bound) }));
}

function parseBound(bound: string): Partition["bounds"] {
  const [, fromId, beforeId] = /^FOR VALUES FROM \('(.*)'\) TO \('(.*)'\)$/.exec(bound) ?? [];
  return fromId === undefined || beforeId === undefined ? undefined : { fromId, beforeId };
}
