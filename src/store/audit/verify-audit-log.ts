import { AuditChain } from "../entities/audit.ts";
import type { Store } from "../types/store.ts";
import { entryHash, GENESIS_HASH } from "./entry-hash.ts";

/** The result of a check of the audit log. */
interface AuditVerification {
  /** Entries that were checked. */
  readonly entries: number;
  /** The latest entry, 0 where there is none, and its hash: who notes it elsewhere sees if the end is cut later. */
  readonly sequence: number;
  readonly hash: string;
  /** The first thing that is wrong; undefined where the log is as it was written. */
  readonly problem: string | undefined;
}

/** Entries that are read at once. */
const BATCH = 1000;

/** Checks that each entry of the audit log is there and as it was written, from the oldest that is kept on. */
export async function verifyAuditLog(store: Store): Promise<AuditVerification> {
  const first = await verifyOnce(store);
  // Retention may have cut the oldest entries meanwhile.
  return first.problem === undefined ? first : await verifyOnce(store);
}

async function verifyOnce(store: Store): Promise<AuditVerification> {
  const chain = await store.fork().findOne(AuditChain, { id: 1 });
  if (chain === null) {
    const some = await store.query().selectFrom("AuditEntry").select("sequence").limit(1).executeTakeFirst();
    const problem = some && "the head of the chain is missing";
    return { entries: 0, sequence: 0, hash: GENESIS_HASH, problem };
  }
  const head = { sequence: chain.sequence, hash: chain.hash };
  let at = { sequence: chain.anchorSequence, hash: chain.anchorHash };
  while (at.sequence < head.sequence) {
    const rows = await readAfter(store, at.sequence, head.sequence);
    const entries = () => at.sequence - chain.anchorSequence;
    for (const row of rows) {
      const expected = at.sequence + 1;
      if (row.sequence !== expected) return { ...head, entries: entries(), problem: `entry ${expected} is missing` };
      if (entryHash(at.hash, row) !== row.hash) {
        return { ...head, entries: entries(), problem: `entry ${expected} was changed, or the one before it` };
      }
      at = { sequence: row.sequence, hash: row.hash };
    }
    if (rows.length === 0) return { ...head, entries: entries(), problem: `entry ${at.sequence + 1} is missing` };
  }
  const problem = at.hash === head.hash ? undefined : `the head of the chain is not the hash of entry ${head.sequence}`;
  return { ...head, entries: at.sequence - chain.anchorSequence, problem };
}

async function readAfter(store: Store, sequence: number, until: number) {
  return await store
    .query()
    .selectFrom("AuditEntry")
    .selectAll()
    .where("sequence", ">", sequence)
    .where("sequence", "<=", until)
    .orderBy("sequence")
    .limit(BATCH)
    .execute();
}
