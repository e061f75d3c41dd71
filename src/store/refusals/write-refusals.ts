import {
  addRefusals,
  MINUTES_KEPT,
  MOST_SAMPLES,
  type RefusalBatch,
  type RefusalCount,
  type RefusalSample,
} from "../../hub/refusals.ts";
import { splitIntoChunks } from "../../lib/split-into-chunks.ts";
import type { Store } from "../types/store.ts";
import { storableText } from "../write/storable-text.ts";

type Tables = ReturnType<Store["query"]>;

/** Rows of one statement. */
const CHUNK = 500;
const HOURS_KEPT = 90 * 24;

/** The rollups of refused calls: how many minutes a period has, and how many periods are kept. */
const ROLLUPS = [
  { entity: "RefusalMinute", minutes: 1, kept: MINUTES_KEPT },
  { entity: "RefusalHour", minutes: 60, kept: HOURS_KEPT },
] as const;
type Rollup = (typeof ROLLUPS)[number];

/** Writes refusals in one transaction, and deletes what they push out: samples beyond 100, and counts that are old. */
export async function writeRefusals(store: Store, { counts, samples }: RefusalBatch): Promise<void> {
  const newest = counts.reduce((latest, { minute }) => Math.max(latest, minute), 0);
  await store.transaction(async (tables) => {
    for (const rollup of ROLLUPS) {
      const { entity, minutes, kept } = rollup;
      const oldest = Math.floor(newest / minutes) - kept;
      const rows = sumRows(counts, rollup).filter(({ period }) => period >= oldest);
      for (const some of splitIntoChunks(rows, CHUNK)) await addRows(tables, rollup, some);
      await tables.deleteFrom(entity).where("period", "<", oldest).execute();
    }
    for (const rows of splitIntoChunks(samples, CHUNK))
      await tables.insertInto("RefusedCall").values(rows.map(toStorable)).execute();
    const groups = new Map(samples.map((sample) => [`${sample.projectId} ${sample.reason}`, sample]));
    for (const group of groups.values()) await deleteOldest(tables, group);
  });
}

/** The message may tell a text that a caller has sent; one that is refused would hold up all that come later. */
function toStorable(sample: RefusalSample): RefusalSample {
  return { ...sample, call: storableText(sample.call), message: storableText(sample.message) };
}

type Row = Omit<RefusalCount, "minute"> & { readonly period: number };

/** Returns the rows of a rollup, in one order in all processes, so that no two of them wait for each other. */
function sumRows(counts: readonly RefusalCount[], { minutes }: Rollup): Row[] {
  const sums = new Map<string, RefusalCount>();
  for (const count of counts) {
    const key = `${count.projectId} ${Math.floor(count.minute / minutes)} ${count.reason} ${count.keyId}`;
    const known = sums.get(key);
    sums.set(key, known === undefined ? count : addRefusals(known, count));
  }
  const ordered = [...sums].sort(([one], [other]) => (one < other ? -1 : 1));
  return ordered.map(([, { minute, ...count }]) => ({ ...count, period: Math.floor(minute / minutes) }));
}

async function addRows(tables: Tables, { entity }: Rollup, rows: readonly Row[]): Promise<void> {
  const known = `${entity}.` as const;
  await tables
    .insertInto(entity)
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(["projectId", "period", "reason", "keyId"]).doUpdateSet(({ eb, ref }) => ({
        calls: eb(ref(`${known}calls`), "+", ref("excluded.calls")),
        firstMs: eb
          .case()
          .when(ref("excluded.firstMs"), "<", ref(`${known}firstMs`))
          .then(ref("excluded.firstMs"))
          .else(ref(`${known}firstMs`))
          .end(),
        lastMs: eb
          .case()
          .when(ref("excluded.lastMs"), ">", ref(`${known}lastMs`))
          .then(ref("excluded.lastMs"))
          .else(ref(`${known}lastMs`))
          .end(),
      })),
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
