import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { DASHBOARD_PATH } from "../../dashboard-path.ts";
import { useProject } from "../../shell/session.ts";

/** An entry of the audit log. */
export type AuditEntry = Awaited<ReturnType<typeof api.auditLog.list.query>>["entries"][number];

/** The entries that are asked for. */
interface AuditFilter {
  readonly actor?: string;
  readonly action?: string;
}

const PAGE_SIZE = 50;

/** Reads entries page by page, the newest first. */
export function useEntries(filter: AuditFilter) {
  const { id: projectId } = useProject();
  return useInfiniteQuery({
    queryKey: ["audit-log", projectId, filter],
    queryFn: ({ pageParam }) =>
      api.auditLog.list.query({
        ...{ projectId, filter, limit: PAGE_SIZE },
        ...(pageParam === 0 ? {} : { cursor: pageParam }),
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
  });
}

/** Returns the address of an export. */
export function exportAddress(projectId: string, filter: AuditFilter, format: "csv" | "jsonl"): string {
  const input = JSON.stringify({ projectId, filter, format });
  return `${DASHBOARD_PATH}/api/export/audit-log?input=${encodeURIComponent(input)}`;
}
