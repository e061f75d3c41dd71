import { hash } from "node:crypto";
import type { AuditEntryRow } from "../entities/audit.ts";

/** The hash before the first entry. */
export const GENESIS_HASH = "0".repeat(64);

/**
 * Returns the hash of an entry: SHA-256, in hex, over the hash of the entry before it, a line feed, and a JSON array of
 * all its other columns in the order of the table.
 */
export function entryHash(previousHash: string, entry: Omit<AuditEntryRow, "hash">): string {
  const { sequence, at, actorKind, actorId, actorLabel, via, address, requestId, projectId } = entry;
  const { action, targetKind, targetId, targetName, before, after } = entry;
  const columns = [
    ...[sequence, at.toISOString(), actorKind, actorId, actorLabel, via, address ?? null, requestId ?? null],
    ...[projectId ?? null, action, targetKind, targetId, targetName, before ?? null, after ?? null],
  ];
  return hash("sha256", `${previousHash}\n${JSON.stringify(columns)}`, "hex");
}
