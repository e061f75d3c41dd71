import { setTimeout as delay } from "node:timers/promises";
import { LockMode } from "@mikro-orm/core";
import { AuditChain, AuditEntry } from "../entities/audit.ts";
import type { Expired } from "../retention/count-rows.ts";
import type { Store } from "../types/store.ts";
import { query } from "../types/tables.ts";

/** Entries of one transaction. */
const ENTRIES_PER_CHUNK = 500;
/** The pause between two chunks, for other writers. */
const PAUSE_MS = 20;

/** Counts the entries that are older than a time, and all. */
export async function countAuditEntries(store: Store, before: Date): Promise<Expired> {
  const em = store.fork();
  return { expired: await em.count(AuditEntry, { at: { $lt: before } }), total: await em.count(AuditEntry) };
}

/**
 * Deletes the oldest entries up to the first one that is not older than a time, until the signal aborts. The chain
 * keeps the hash of the last one that went. Returns how many.
 */
export async function cutAuditLog(store: Store, before: Date, signal: AbortSignal): Promise<number> {
  for (let deleted = 0; ; ) {
    if (signal.aborted) return deleted;
    const cut = await cutOnce(store, before);
    deleted += cut;
    if (cut < ENTRIES_PER_CHUNK) return deleted;
    await delay(PAUSE_MS, undefined, { signal }).catch(() => {});
  }
}

async function cutOnce(store: Store, before: Date): Promise<number> {
  return await store.unitOfWork(async (em) => {
    const chain = await em.findOne(AuditChain, 1, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (chain === null) return 0;
    const oldest = await query(em)
      .selectFrom("AuditEntry")
      .select(["sequence", "hash", "at"])
      .where("sequence", ">", chain.anchorSequence)
      .orderBy("sequence")
      .limit(ENTRIES_PER_CHUNK)
      .execute();
    const firstKept = oldest.findIndex(({ at }) => at >= before);
    const expired = firstKept === -1 ? oldest : oldest.slice(0, firstKept);
    const last = expired.at(-1);
    if (last === undefined) return 0;
    await query(em).deleteFrom("AuditEntry").where("sequence", "<=", last.sequence).execute();
    chain.anchorSequence = last.sequence;
    chain.anchorHash = last.hash;
    return expired.length;
  });
}
