import { Badge, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../../web/api/trpc.ts";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { formatAgo, formatTime } from "../../../web/parts/format.ts";
import { useProject } from "../../../web/shell/session.ts";
import type { Delivery, Destination } from "./types.ts";

const REFRESH_MS = 30_000;

/** The latest messages to destinations of the project's own. */
export function DeliveriesTable({ destinations }: { readonly destinations: readonly Destination[] }) {
  const { id: projectId } = useProject();
  const deliveries = useQuery(trpc.alerts.deliveries.queryOptions({ projectId }, { refetchInterval: REFRESH_MS }));
  if ((deliveries.data?.length ?? 0) === 0) return null;
  const names = new Map(destinations.map(({ id, name }) => [id, name]));
  return <DataTable table={TABLE} rows={deliveries.data} context={{ names }} />;
}

const TYPES: Readonly<Record<string, string>> = {
  "alert.opened": "Alert",
  "alert.closed": "Over",
  "alert.test": "Test",
};

const STATES: Readonly<Record<string, { readonly label: string; readonly color: string }>> = {
  delivered: { label: "Delivered", color: "teal.9" },
  pending: { label: "Waiting", color: "gray.7" },
  failed: { label: "Failed", color: "red.9" },
};

const TABLE: TableDescription<Delivery, { readonly names: ReadonlyMap<string, string> }> = {
  caption: "Latest messages",
  rowKey: ({ id }) => id,
  columns: [
    {
      heading: "Message",
      cell: ({ type, createdAt }) => (
        <Text fz="sm" title={formatTime(createdAt)} style={{ whiteSpace: "nowrap" }}>
          {TYPES[type] ?? type}, {formatAgo(createdAt)}
        </Text>
      ),
    },
    { heading: "To", cell: ({ destination }, { names }) => names.get(destination) ?? "removed" },
    {
      heading: "State",
      cell: ({ state, problem }) => (
        <>
          <Badge variant="filled" color={STATES[state]?.color ?? "gray.7"} size="sm" tt="none" fw={500}>
            {STATES[state]?.label ?? state}
          </Badge>
          {problem !== null && state !== "delivered" && (
            <Text fz="xs" c="dimmed" maw={320}>
              {problem}
            </Text>
          )}
        </>
      ),
    },
    { heading: "Attempts", isNumeric: true, isMinor: true, cell: ({ attempts }) => attempts },
  ],
};
