import { appendAuditEntry } from "../audit/append-entry.ts";
import type { Store } from "../types/store.ts";
import { type ExportedInference, exportInferences, exportRows } from "./export-inferences.ts";
import type { HistoryRow } from "./reads/describe-rows.ts";
import type { HistoryQuery } from "./reads/list-history.ts";
import type { DashboardReads } from "./reads/reads.ts";

/** The requests of an export. */
export interface ExportQuery extends Omit<HistoryQuery, "limit"> {
  /** Form of the file, for the audit log. */
  readonly format: string;
}

/** Exports of requests, the newest first and as many as there are. The audit log has each. */
export interface RequestExports {
  /** Yields their facts alone, some at a time. */
  facts(query: ExportQuery, signal: AbortSignal): AsyncGenerator<readonly HistoryRow[]>;
  /** Yields each with its texts, attempts and feedback. */
  whole(query: ExportQuery, signal: AbortSignal): AsyncGenerator<ExportedInference>;
}

/** Creates the exports of a database. */
export function createRequestExports(store: Store, reads: DashboardReads): RequestExports {
  return {
    async *facts({ format, ...query }, signal) {
      await noteExport(store, query, format);
      yield* exportRows(reads, { ...query, limit: Number.POSITIVE_INFINITY }, signal);
    },
    async *whole({ format, ...query }, signal) {
      await noteExport(store, query, format);
      yield* exportInferences(reads, { ...query, limit: Number.POSITIVE_INFINITY }, signal);
    },
  };
}

async function noteExport(store: Store, query: Omit<HistoryQuery, "limit">, format: string): Promise<void> {
  const { projectId, from, to, cursor, filter = {}, facts = {}, ...others } = query;
  const chosen = Object.entries({ ...filter, ...facts, ...others }).filter(([, value]) => value !== undefined);
  const after = {
    format,
    ...(from && { from: from.toISOString() }),
    ...(to && { to: to.toISOString() }),
    ...(cursor !== undefined && { before: cursor }),
    // The values may be texts of people.
    ...(chosen.length > 0 && { filteredBy: chosen.map(([name]) => name) }),
  };
  await store.unitOfWork(async (em) => {
    appendAuditEntry(em, {
      ...store.origin,
      projectId,
      action: "history.export",
      before: null,
      after,
      target: { kind: "requests", id: projectId, name: "requests" },
    });
  });
}
