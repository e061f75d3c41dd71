import { Button, Group, Select, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconClipboardList, IconDownload } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { AUDIT_ACTIONS } from "../../../../vocabulary/audit-actions.ts";
import { type Inputs, type Outputs, trpc } from "../../../web/api/trpc.ts";
import { DASHBOARD_PATH } from "../../../web/dashboard-path.ts";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { EmptyState } from "../../../web/parts/empty-state.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatAgo, formatTime } from "../../../web/parts/format.ts";
import { MoreButton } from "../../../web/parts/more-button.tsx";
import { Name } from "../../../web/parts/name.tsx";
import { Page } from "../../../web/shell/page.tsx";
import { useProject } from "../../../web/shell/session.ts";
import { Difference } from "./difference.tsx";

type AuditEntry = Outputs["auditLog"]["list"]["entries"][number];

const PAGE_SIZE = 50;

const WAIT_MS = 300;

/** The areas of actions, by their names for people. */
const AREAS: Readonly<Record<string, string>> = {
  alerts: "Alerts",
  keys: "Keys",
  members: "Members",
  invitations: "Invitations",
  resets: "Password links",
  quotas: "Limits",
  endUsers: "End users",
  learning: "Learning",
  projectSettings: "Project settings",
  projects: "Projects",
  history: "Exports of requests",
  datasets: "Datasets",
  datasetRuns: "Runs of datasets",
  views: "Saved views",
  managed: "Managed by apply",
  playground: "Playground",
};

const LEAD = "Every change to this project, who made it and when.";

/** Shows who changed what in the project. */
export function AuditLogPage() {
  const { id: projectId } = useProject();
  const [actor, setActor] = useState("");
  const [action, setAction] = useState<string | null>(null);
  const [searched] = useDebouncedValue(actor.trim(), WAIT_MS);
  const filter = { ...(searched !== "" && { actor: searched }), ...(action !== null && { action }) };
  const entries = useInfiniteQuery(
    trpc.auditLog.list.infiniteQueryOptions(
      { projectId, filter, limit: PAGE_SIZE },
      { getNextPageParam: ({ next }) => next },
    ),
  );
  const download = (format: "csv" | "jsonl") => (
    <Button
      component="a"
      variant="default"
      href={exportAddress(projectId, filter, format)}
      download
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      {format === "csv" ? "CSV" : "JSON lines"}
    </Button>
  );
  return (
    <Page
      title="Audit log"
      lead={LEAD}
      actions={
        <>
          {download("csv")}
          {download("jsonl")}
        </>
      }
    >
      <Group gap="sm">
        <TextInput
          aria-label="Actor"
          placeholder="Email address or key"
          value={actor}
          onChange={({ currentTarget }) => setActor(currentTarget.value)}
          w={260}
        />
        <Select
          aria-label="Area"
          placeholder="All changes"
          clearable
          data={Object.entries(AREAS).map(([value, label]) => ({ value, label }))}
          value={action}
          onChange={setAction}
          w={200}
        />
      </Group>
      <ErrorNote error={entries.error} onRetry={() => void entries.refetch()} />
      <DataTable table={TABLE} rows={entries.data?.pages.flatMap((page) => page.entries)} />
      <MoreButton pages={entries}>Show older</MoreButton>
    </Page>
  );
}

const ACTIONS: Readonly<Record<string, string>> = AUDIT_ACTIONS;

function writeAction(action: string): string {
  return (ACTIONS[action] ?? action).replaceAll("`", "");
}

const TABLE: TableDescription<AuditEntry> = {
  caption: "Audit log",
  rowKey: ({ sequence }) => String(sequence),
  empty: <EmptyState Icon={IconClipboardList} title="No changes" text="No changes match the filter." />,
  columns: [
    {
      heading: "Time",
      cell: ({ at }) => (
        <Text fz="sm" component="div" className="attune-nowrap attune-wraps" miw="5.5rem">
          {formatTime(at)}
          <Text fz="xs" c="dimmed">
            {formatAgo(at)}
          </Text>
        </Text>
      ),
    },
    {
      heading: "Actor",
      cell: ({ actor, via, address }) => (
        <>
          <Name>{actor.label || actor.kind}</Name>
          <Text fz="xs" c="dimmed">
            {address ?? via}
          </Text>
        </>
      ),
    },
    { heading: "Action", cell: ({ action }) => <span title={action}>{writeAction(action)}</span> },
    { heading: "Target", isMinor: true, cell: ({ target }) => <Name>{target.name || target.id || target.kind}</Name> },
    { heading: "Change", isWide: true, cell: ({ before, after }) => <Difference before={before} after={after} /> },
  ],
};

type AuditFilter = Inputs["auditLog"]["list"]["filter"];

/** Returns the address of an export of the audit log. */
function exportAddress(projectId: string, filter: AuditFilter, format: "csv" | "jsonl"): string {
  const input = JSON.stringify({ projectId, filter, format });
  return `${DASHBOARD_PATH}/api/export/audit-log?input=${encodeURIComponent(input)}`;
}
