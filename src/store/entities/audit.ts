import { defineEntity, type InferEntity, p } from "@mikro-orm/core";

/** A change that somebody made. Rows are only added, and deleted from the oldest on. */
export const AuditEntry = defineEntity({
  name: "AuditEntry",
  tableName: "audit_entry",
  indexes: [{ properties: ["projectId", "sequence"] }],
  properties: {
    /** Without gaps, from 1 on. */
    sequence: p.bigint("number").primary().autoincrement(false),
    at: p.datetime(3),
    /** ActorKind. */
    actorKind: p.text(),
    actorId: p.text(),
    actorLabel: p.text(),
    /** ChangeVia. */
    via: p.text(),
    address: p.text().nullable(),
    requestId: p.text().nullable(),
    /** Null for what is in no project. No reference: entries outlive their project. */
    projectId: p.text().nullable(),
    action: p.text(),
    targetKind: p.text(),
    targetId: p.text(),
    targetName: p.text(),
    /** JSON, as it was hashed; null where the target came into being. */
    before: p.text().nullable(),
    /** JSON, as it was hashed; null where the target went away. */
    after: p.text().nullable(),
    /** SHA-256 in hex; see src/store/audit/entry-hash.ts. */
    hash: p.text(),
  },
});

/** One row: the two ends of the chain that the entries are. Who adds an entry holds it. */
export const AuditChain = defineEntity({
  name: "AuditChain",
  tableName: "audit_chain",
  properties: {
    id: p.integer().primary().autoincrement(false),
    /** The latest entry, and its hash. */
    sequence: p.bigint("number"),
    hash: p.text(),
    /** The latest entry that retention deleted, and its hash, which the oldest one left goes on from. */
    anchorSequence: p.bigint("number"),
    anchorHash: p.text(),
  },
});

/** A row of `audit_entry`. */
export type AuditEntryRow = InferEntity<typeof AuditEntry>;
