import type { AuditAction } from "../../vocabulary/audit-actions.ts";
import type { AuditEntryRow } from "../entities/audit.ts";
import type { Store } from "../types/store.ts";
import type { AuditState } from "./append-entry.ts";

/** The action of entries that tell of another version or another configuration. */
export const CONFIGURED = "configuration.serve" satisfies AuditAction;

/** The entries that are asked for; absent members admit all. */
export interface AuditFilter {
  readonly projectId?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Id or label of the actor. */
  readonly actor?: string | undefined;
  /** An action, or an area such as `keys`, which stands for all its actions. */
  readonly action?: string | undefined;
}

/** A part of the entries. */
interface AuditPage extends AuditFilter {
  /** Entries after this sequence number, the oldest first. */
  readonly after?: number | undefined;
  /** Entries before this sequence number, the newest first; only without `after`. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** An entry of the audit log, as it is shown and exported. */
export interface AuditRecord {
  readonly sequence: number;
  readonly at: Date;
  readonly actor: { readonly kind: string; readonly id: string; readonly label: string };
  readonly via: string;
  readonly address: string | null;
  readonly requestId: string | null;
  readonly projectId: string | null;
  readonly action: string;
  readonly target: { readonly kind: string; readonly id: string; readonly name: string };
  readonly before: AuditState | null;
  readonly after: AuditState | null;
  readonly hash: string;
}

/** Reads entries, the newest first, or with `after` the oldest first. */
export async function readAuditEntries(store: Store, page: AuditPage): Promise<AuditRecord[]> {
  const { projectId, from, to, actor, action, after, before, limit } = page;
  const rows = await store
    .query()
    .selectFrom("AuditEntry")
    .selectAll()
    .$if(projectId !== undefined, (query) => query.where("projectId", "=", projectId ?? ""))
    .$if(from !== undefined, (query) => query.where("at", ">=", from ?? new Date()))
    .$if(to !== undefined, (query) => query.where("at", "<", to ?? new Date()))
    .$if(actor !== undefined, (query) =>
      query.where((is) => is.or([is("actorId", "=", actor ?? ""), is("actorLabel", "=", actor ?? "")])),
    )
    .$if(action !== undefined, (query) =>
      query.where((is) => is.or([is("action", "=", action ?? ""), is("action", "like", `${escapeLike(action)}.%`)])),
    )
    .$if(after !== undefined, (query) => query.where("sequence", ">", after ?? 0))
    .$if(before !== undefined, (query) => query.where("sequence", "<", before ?? 0))
    .orderBy("sequence", after === undefined ? "desc" : "asc")
    .limit(limit)
    .execute();
  return rows.map(toRecord);
}

/** Entries that are read at once. */
const BATCH = 500;

/** Reads all entries of a filter, the oldest first. */
export async function* readAllAuditEntries(store: Store, filter: AuditFilter): AsyncGenerator<AuditRecord> {
  for (let after = 0; ; ) {
    const records = await readAuditEntries(store, { ...filter, after, limit: BATCH });
    yield* records;
    if (records.length < BATCH) return;
    after = records.at(-1)?.sequence ?? after;
  }
}

/** Actions have letters and dots alone; anything else finds nothing. */
function escapeLike(action = ""): string {
  return action.replaceAll(/[%_\\]/g, "?");
}

function toRecord(row: AuditEntryRow): AuditRecord {
  const { sequence, at, via, action, hash } = row;
  return {
    sequence,
    at,
    actor: { kind: row.actorKind, id: row.actorId, label: row.actorLabel },
    via,
    address: row.address ?? null,
    requestId: row.requestId ?? null,
    projectId: row.projectId ?? null,
    action,
    target: { kind: row.targetKind, id: row.targetId, name: row.targetName },
    before: toState(row.before),
    after: toState(row.after),
    hash,
  };
}

function toState(text: string | null | undefined): AuditState | null {
  return text == null ? null : (JSON.parse(text) as AuditState);
}
