import { MOST_SAMPLES, type RefusalBatch, type RefusalCount, type RefusalSample } from "../../hub/refusals.ts";
import { chunksOf } from "../../lib/chunks-of.ts";
import type { Store } from "../types/store.ts";

type Tables = ReturnType<Store["query"]>;

/** Rows of one statement. */
const CHUNK = 500;
const HOURS_KEPT = 90 * 24;

/** Writes refusals in one transaction, and deletes what they push out: samples beyond 100, and hours before 90 days. */
export async function writeRefusals(store: Store, { counts, samples }: RefusalBatch): Promise<void> {
  // In one order in all processes, so that no two of them wait for each other.
  const ordered = [...counts].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  await store.transaction(async (tables) => {
    for (const rows of chunksOf(ordered, CHUNK)) await addCounts(tables, rows);
    for (const rows of chunksOf(samples, CHUNK))
      await tables
        .insertInto("RefusedCall")
        .values([...rows])
        .execute();
    const groups = new Map(samples.map((sample) => [`${sample.projectId} ${sample.reason}`, sample]));
    for (const group of groups.values()) await deleteOldest(tables, group);
    const newest = Math.max(...counts.map(({ hour }) => hour));
    await tables
      .deleteFrom("RefusalHour")
      .where("hour", "<", newest - HOURS_KEPT)
      .execute();
  });
}

function keyOf({ projectId, hour, reason, keyId }: RefusalCount): string {
  return `${projectId} ${hour} ${reason} ${keyId}`;
}

async function addCounts(tables: Tables, rows: readonly RefusalCount[]): Promise<void> {
  await tables
    .insertInto("RefusalHour")
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .columns(["projectId", "hour", "reason", "keyId"])
        .doUpdateSet(({ eb, ref }) => ({ calls: eb(ref("RefusalHour.calls"), "+", ref("excluded.calls")) })),
    )
    .execute();
}

async function deleteOldest(tables: Tables, { projectId, reason }: RefusalSample): Promise<void> {
  const oldest = await tables
    .selectFrom("RefusedCall")
    .select("id")
    .where("projectId", "=", projectId)
    .where("reason", "=", reason)
    .orderBy("id", "desc")
    .offset(MOST_SAMPLES - 1)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await tables
    .deleteFrom("RefusedCall")
    .where("projectId", "=", projectId)
    .where("reason", "=", reason)
    .where("id", "<", oldest.id)
    .execute();
}
