import type { InferEntity } from "@mikro-orm/core";
import type { Signal } from "../../alerts/ports.ts";
import { databaseTime } from "../database/clock.ts";
import { ApiKey } from "../entities/api-key.ts";
import type { Store } from "../types/store.ts";

/** Most signals that are read. */
const MOST = 20_000;

/**
 * Writes the signals of a process that have changed, as many as a statement has room for; undefined takes one back. Of
 * the others none is written where it rejects.
 */
export async function writeSignals(
  store: Store,
  process: string,
  changed: ReadonlyMap<string, Signal | undefined>,
): Promise<void> {
  const gone = [...changed].flatMap(([name, signal]) => (signal === undefined ? [name] : []));
  const set = [...changed].flatMap(([name, signal]) => (signal === undefined ? [] : [{ name, signal }]));
  if (gone.length > 0) {
    const own = store.query().deleteFrom("AlertSignal").where("process", "=", process);
    await own.where("name", "in", gone).execute();
  }
  if (set.length > 0) await upsert(store, process, set);
}

type NamedSignal = { readonly name: string; readonly signal: Signal };

async function upsert(store: Store, process: string, set: readonly NamedSignal[]): Promise<void> {
  const keyIds = set.flatMap(({ signal: { keyId } }) => keyId ?? []);
  const keys = keyIds.length === 0 ? [] : await store.fork().find(ApiKey, { publicId: { $in: keyIds } });
  const byId = new Map(keys.map((key) => [key.publicId, key]));
  const rows = set.map(({ name, signal: { expiresAtMs, keyId = "", ...facts } }) => ({
    process,
    name,
    ...facts,
    ...describeKey(byId.get(keyId), facts),
    expiresAt: new Date(expiresAtMs),
  }));
  await store
    .query()
    .insertInto("AlertSignal")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["process", "name"]).doUpdateSet(({ ref }) => ({
        value: ref("excluded.value"),
        subject: ref("excluded.subject"),
        projectId: ref("excluded.projectId"),
        expiresAt: ref("excluded.expiresAt"),
      })),
    )
    .execute();
}

/** Returns the project of the key that a signal is about, and its subject with the name that people gave the key. */
function describeKey(
  key: InferEntity<typeof ApiKey> | undefined,
  { projectId, subject }: Pick<Signal, "projectId" | "subject">,
) {
  if (key === undefined) return { projectId, subject };
  return { projectId: key.project.id, subject: key.name === "" ? subject : `${subject} (${key.name})` };
}

/** Reads the signals of all processes that have not expired. */
export async function readSignals(store: Store): Promise<Signal[]> {
  const rows = await store
    .query()
    .selectFrom("AlertSignal")
    .select(["kind", "subject", "projectId", "value", "expiresAt"])
    .where("expiresAt", ">", databaseTime(store))
    .limit(MOST)
    .execute();
  return rows.map(({ kind, expiresAt, ...row }) => ({
    ...row,
    kind: kind as Signal["kind"],
    expiresAtMs: expiresAt.getTime(),
  }));
}
