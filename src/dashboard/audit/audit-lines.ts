import { encodeCsv } from "../../lib/csv.ts";
import type { AuditRecord } from "../../store/dashboard/audit-log.ts";

/** A form of an export. */
type AuditFormat = "jsonl" | "csv";

const COLUMNS = [
  ...["sequence", "at", "actor_kind", "actor_id", "actor", "via", "address", "request_id", "project_id", "action"],
  ...["target_kind", "target_id", "target", "before", "after", "hash"],
];
const HEADING = encodeCsv(COLUMNS, []);

/** Writes entries as JSON, one a line, or as CSV of RFC 4180, in which before and after are JSON. */
export async function* auditLines(entries: AsyncIterable<AuditRecord>, format: AuditFormat): AsyncGenerator<string> {
  if (format === "csv") yield HEADING;
  for await (const entry of entries) yield format === "csv" ? toCsv(entry) : `${JSON.stringify(entry)}\n`;
}

function toCsv({ actor, target, at, before, after, requestId, projectId, ...entry }: AuditRecord): string {
  const { sequence, via, address, action, hash } = entry;
  const row = {
    sequence,
    at: at.toISOString(),
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor: actor.label,
    via,
    address,
    request_id: requestId,
    project_id: projectId,
    action,
    hash,
    target_kind: target.kind,
    target_id: target.id,
    target: target.name,
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
  };
  return encodeCsv(COLUMNS, [row]).slice(HEADING.length);
}
