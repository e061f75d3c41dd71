import type { Inputs } from "../../api/trpc.ts";
import { DASHBOARD_PATH } from "../../dashboard-path.ts";

type AuditFilter = Inputs["auditLog"]["list"]["filter"];

/** Returns the address of an export of the audit log. */
export function exportAddress(projectId: string, filter: AuditFilter, format: "csv" | "jsonl"): string {
  const input = JSON.stringify({ projectId, filter, format });
  return `${DASHBOARD_PATH}/api/export/audit-log?input=${encodeURIComponent(input)}`;
}
