import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { LockMode } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/sql";
import type { AuditAction } from "../../vocabulary/audit-actions.ts";
import type { ChangeOrigin } from "../../vocabulary/change-origin.ts";
import { AuditChain, type AuditEntryRow } from "../entities/audit.ts";
import { query } from "../types/tables.ts";
import { storableText } from "../write/storable-text.ts";
import { entryHash, GENESIS_HASH } from "./entry-hash.ts";

/** Members of what was changed, without secrets: keys go by their public ids. */
export type AuditState = Readonly<Record<string, unknown>>;

/** The thing that was changed. */
export interface AuditTarget {
  readonly kind: string;
  readonly id: string;
  /** The name for people, as it is then. */
  readonly name: string;
}

/** A change, without its origin. */
export interface AuditChange {
  readonly projectId?: string | undefined;
  readonly action: AuditAction;
  readonly target: AuditTarget;
  /** Null where the target came into being. */
  readonly before: AuditState | null;
  /** Null where the target went away. */
  readonly after: AuditState | null;
}

/** A change, with its origin. */
interface NewAuditEntry extends ChangeOrigin, AuditChange {}

/** The entries of each unit of work that is under way. */
const pending = new WeakMap<SqlEntityManager, NewAuditEntry[]>();

/**
 * Adds an entry to the audit log when the unit of work of `em` ends, in its transaction: both are kept, or neither.
 * Where something was changed, the entry has the members that differ; where none does, nothing is added.
 */
export function appendAuditEntry(em: SqlEntityManager, entry: NewAuditEntry): void {
  const entries = pending.get(em);
  if (entries === undefined) throw new Error("an audit entry needs the entity manager of a unit of work");
  const { before, after } = entry;
  if (before === null || after === null) entries.push(entry);
  else if (!isDeepStrictEqual(before, after)) {
    entries.push({ ...entry, before: differing(before, after), after: differing(after, before) });
  }
}

/** Runs a unit of work, then adds the entries that it has appended. */
export async function withAuditEntries<T>(
  em: SqlEntityManager,
  work: (em: SqlEntityManager) => Promise<T>,
): Promise<T> {
  const entries: NewAuditEntry[] = [];
  pending.set(em, entries);
  const result = await work(em);
  if (entries.length > 0) await writeEntries(em, entries);
  return result;
}

const CHAIN = 1;

/** The chain is locked after all else that the work locks, so that no two units of work wait for each other. */
async function writeEntries(em: SqlEntityManager, entries: readonly NewAuditEntry[]): Promise<void> {
  await em.flush();
  const tables = query(em);
  const none = { sequence: 0, hash: GENESIS_HASH, anchorSequence: 0, anchorHash: GENESIS_HASH };
  await tables
    .insertInto("AuditChain")
    .values({ id: CHAIN, ...none })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  const chain = await em.findOneOrFail(AuditChain, CHAIN, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  for (const entry of entries) {
    const columns = toColumns(entry, chain.sequence + 1);
    const row = { ...columns, hash: entryHash(chain.hash, columns) };
    await tables.insertInto("AuditEntry").values(row).execute();
    chain.sequence = row.sequence;
    chain.hash = row.hash;
  }
}

function toColumns({ actor, target, ...entry }: NewAuditEntry, sequence: number): Omit<AuditEntryRow, "hash"> {
  return {
    sequence,
    at: new Date(),
    actorKind: actor.kind,
    actorId: actor.id,
    actorLabel: storableText(actor.label),
    via: entry.via,
    address: entry.address ?? null,
    requestId: entry.requestId ?? null,
    projectId: entry.projectId ?? null,
    action: entry.action,
    targetKind: target.kind,
    targetId: storableText(target.id),
    targetName: storableText(target.name),
    before: toText(entry.before),
    after: toText(entry.after),
  };
}

/** Most characters of each side of a change; of what is longer only the hash is kept. */
const MOST_CHARACTERS = 16_384;

function toText(state: AuditState | null): string | null {
  if (state === null) return null;
  const text = JSON.stringify(state);
  if (text.length <= MOST_CHARACTERS) return text;
  return JSON.stringify({ omittedCharacters: text.length, sha256: hash("sha256", text, "hex") });
}

function differing(state: AuditState, other: AuditState): AuditState {
  return Object.fromEntries(Object.entries(state).filter(([name, value]) => !isDeepStrictEqual(value, other[name])));
}
