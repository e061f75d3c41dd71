import type { Executor } from "../database/executor.ts";
import type { Store } from "../types/store.ts";
import { changePartitions } from "./change-partitions.ts";
import { listPartitions } from "./list-partitions.ts";
import { PARTITION_PLANS, type PartitionPlan, type PlannedPartition, planPartitions } from "./partition-plan.ts";

/** Any number that nothing else takes for an advisory lock in the same database. */
const ADVISORY_LOCK = 7_106_884_214;

/** Creates the partitions that PostgreSQL lacks for a range of time. Returns their names; there are none on SQLite. */
export async function ensurePartitions(store: Store, from: Date, to: Date): Promise<string[]> {
  if (store.engine === "sqlite") return [];
  const created: string[] = [];
  for (const plan of PARTITION_PLANS) {
    const existing = await listPartitions(store, plan.table);
    const isCovered = ({ fromId, beforeId }: PlannedPartition) =>
      existing.some(({ bounds }) => bounds !== undefined && bounds.fromId < beforeId && fromId < bounds.beforeId);
    for (const partition of planPartitions(plan, from, to).filter((planned) => !isCovered(planned))) {
      const run = (execute: Executor) => createPartition(execute, plan, partition);
      const isNew = await changePartitions(store, { name: `create ${partition.name}`, table: plan.table, run });
      if (isNew) created.push(partition.name);
    }
  }
  return created;
}

/**
 * Makes the table first and attaches it then, which locks out nobody who writes to other partitions. Rows that were
 * strays because it was missing move in; until then nobody else reads or writes strays. Returns whether no other
 * process was faster.
 */
async function createPartition(execute: Executor, plan: PartitionPlan, partition: PlannedPartition): Promise<boolean> {
  const { name, fromId, beforeId } = partition;
  const { table } = plan;
  await execute("select pg_advisory_xact_lock($1)", [ADVISORY_LOCK]);
  const [found] = await execute<{ exists: boolean }>("select to_regclass($1) is not null as exists", [name]);
  if (found?.exists === true) return false;
  // Whoever writes a stray of this time ends first, or comes after: one that came between could not be attached to.
  await execute(`lock table "${table}_default" in access exclusive mode`, []);
  await execute(`create table "${name}" (like "${table}" including all)`, []);
  const move =
    `with stray as (delete from "${table}_default" where id >= $1 and id < $2 returning *) insert into ` +
    `"${name}" select * from stray`;
  await execute(move, [fromId, beforeId]);
  await execute(
    `alter table "${table}" attach partition "${name}" for values from ('${fromId}') to ('${beforeId}')`,
    [],
  );
  return true;
}
