import { type AuditFilter, type AuditRecord, readAllAuditEntries, readAuditEntries } from "../audit/read-entries.ts";
import type { Store } from "../types/store.ts";

export type { AuditRecord };

/** Entries of a project. */
type ProjectAuditFilter = AuditFilter & { readonly projectId: string };

/** The audit log, as far as it is of projects. */
export interface ProjectAuditLog {
  /** Reads entries before a sequence number, or the latest, the newest first. */
  list(
    page: ProjectAuditFilter & { readonly before?: number | undefined; readonly limit: number },
  ): Promise<AuditRecord[]>;
  /** Reads all entries, the oldest first. */
  export(filter: ProjectAuditFilter): AsyncGenerator<AuditRecord>;
}

/** Creates the audit log of a database, as projects see it. */
export function createProjectAuditLog(store: Store): ProjectAuditLog {
  return {
    list: (page) => readAuditEntries(store, page),
    export: (filter) => readAllAuditEntries(store, filter),
  };
}
