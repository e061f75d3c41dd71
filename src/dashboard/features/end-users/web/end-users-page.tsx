import { Anchor, Button, Group, Text, TextInput, Title } from "@mantine/core";
import { IconDownload, IconTrash, IconUserShield } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { type Outputs, trpc } from "../../../web/api/trpc.ts";
import { DASHBOARD_PATH } from "../../../web/dashboard-path.ts";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { EmptyState } from "../../../web/parts/empty-state.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatAgo, formatNumber, formatShort, formatShortCost, formatTime } from "../../../web/parts/format.ts";
import { historyPath } from "../../../web/parts/history-path.ts";
import { Name } from "../../../web/parts/name.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { Page } from "../../../web/shell/page.tsx";
import { useProject } from "../../../web/shell/session.ts";
import { DeleteEndUser } from "./delete-end-user.tsx";

type Deletion = Outputs["endUsers"]["deletions"][number];
type EndUser = Outputs["spend"]["ranking"]["rows"][number];

const REFRESH_MS = 2000;
const LEAD = "Find an end user, then export or delete everything that their calls left.";

/** Downloads the data of an end user; nothing to press as long as none is named. */
function ExportButton({ endUserId }: { readonly endUserId: string }) {
  const { id: projectId } = useProject();
  const look = { variant: "default", leftSection: <IconDownload size={16} aria-hidden /> } as const;
  if (endUserId === "") {
    return (
      <Button {...look} disabled>
        Export
      </Button>
    );
  }
  return (
    <Button {...look} component="a" href={exportAddress(projectId, endUserId)} download>
      Export
    </Button>
  );
}

/** Lists end users, and exports and deletes the data of one. */
export function EndUsersPage() {
  const { id: projectId } = useProject();
  const [text, setText] = useState("");
  const [submitted, setSubmitted] = useState<string>();
  const endUserId = text.trim();
  const ranking = useQuery(
    trpc.spend.ranking.queryOptions({ projectId, range: "1y", by: "end_user" }, { staleTime: 60_000 }),
  );
  const users = ranking.data?.rows.filter(({ value }) => value !== "");
  const deletions = useQuery(
    trpc.endUsers.deletions.queryOptions(
      { projectId },
      { refetchInterval: ({ state }) => (state.data?.some((one) => one.state === "running") ? REFRESH_MS : false) },
    ),
  );
  return (
    <Page title="End users" lead={LEAD}>
      <ErrorNote error={ranking.error} onRetry={() => void ranking.refetch()} />
      <DataTable table={USERS} rows={users} context={{ projectId, onDelete: setSubmitted }} />
      {ranking.data !== undefined && ranking.data.rowCount > ranking.data.rows.length && (
        <Text fz="sm" c="dimmed">
          The {ranking.data.rows.length} most expensive of {formatNumber(ranking.data.rowCount)} in the last year.
        </Text>
      )}
      <Group align="flex-end" gap="sm">
        <TextInput
          label="End user ID"
          description="Someone who isn't listed"
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          w={320}
        />
        <ExportButton endUserId={endUserId} />
        <Button
          color="red.9"
          disabled={endUserId === ""}
          onClick={() => setSubmitted(endUserId)}
          leftSection={<IconTrash size={16} aria-hidden />}
        >
          Delete
        </Button>
      </Group>
      <Title order={2} size="h4">
        Deletions
      </Title>
      <ErrorNote error={deletions.error} onRetry={() => void deletions.refetch()} />
      <DataTable table={TABLE} rows={deletions.data} />
      <DeleteEndUser endUserId={submitted} onClose={() => setSubmitted(undefined)} />
    </Page>
  );
}

function exportAddress(projectId: string, endUserId: string): string {
  const input = encodeURIComponent(JSON.stringify({ projectId, endUserId }));
  return `${DASHBOARD_PATH}/api/export/end-user?input=${input}`;
}

interface UsersContext {
  readonly projectId: string;
  readonly onDelete: (endUserId: string) => void;
}

const USERS: TableDescription<EndUser, UsersContext> = {
  caption: "End users",
  rowKey: ({ value }) => value,
  pageSize: 20,
  empty: (
    <EmptyState
      Icon={IconUserShield}
      title="No end users yet"
      text="Calls name their end user in the header attune-user, or in their format's own field."
    />
  ),
  columns: [
    {
      heading: "End user",
      sortBy: ({ value }) => value,
      searchText: ({ value }) => value,
      cell: ({ value }, { projectId }) => (
        <Anchor component={Link} to={historyPath(projectId, { range: "1y" }, { user: value })} fz="sm">
          {nameText(value)}
        </Anchor>
      ),
    },
    { heading: "Calls", isNumeric: true, sortBy: ({ calls }) => calls, cell: ({ calls }) => formatNumber(calls) },
    {
      heading: "Tokens",
      isNumeric: true,
      isMinor: true,
      sortBy: ({ tokens }) => tokens,
      cell: ({ tokens }) => formatShort(tokens),
    },
    {
      heading: "Cost",
      isNumeric: true,
      sortBy: ({ costNanos }) => costNanos,
      cell: ({ costNanos, isPriced }) => formatShortCost(isPriced ? costNanos : null),
    },
    {
      heading: "Actions",
      isAction: true,
      cell: ({ value }, { projectId, onDelete }) => (
        <Group gap="xs" wrap="nowrap" justify="flex-end">
          <Button
            variant="default"
            size="compact-sm"
            component="a"
            href={exportAddress(projectId, value)}
            download
            aria-label={`Export ${nameText(value)}`}
          >
            Export
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => onDelete(value)}
            aria-label={`Delete ${nameText(value)}`}
          >
            Delete
          </Button>
        </Group>
      ),
    },
  ],
};

const STATES: Readonly<Record<string, string>> = { running: "Running", done: "Done", failed: "Failed" };

const TABLE: TableDescription<Deletion> = {
  caption: "Deletions",
  rowKey: ({ id }) => id,
  empty: <EmptyState Icon={IconUserShield} title="No deletions" text="Deletions are listed here for 90 days." />,
  columns: [
    { heading: "End user", cell: ({ endUserId }) => <Name>{endUserId}</Name> },
    { heading: "State", cell: ({ state }) => STATES[state] ?? state },
    {
      heading: "Requested",
      cell: ({ requestedAt }) => (
        <Text span fz="sm" title={formatTime(requestedAt)} style={{ whiteSpace: "nowrap" }}>
          {formatAgo(requestedAt)}
        </Text>
      ),
    },
    { heading: "By", isMinor: true, cell: ({ requestedBy }) => <Name>{requestedBy}</Name> },
    { heading: "Requests", isNumeric: true, cell: ({ inferences }) => formatNumber(inferences) },
    { heading: "Feedback", isNumeric: true, isMinor: true, cell: ({ feedback }) => formatNumber(feedback) },
    {
      heading: "Conversations",
      isNumeric: true,
      isMinor: true,
      cell: ({ conversations }) => formatNumber(conversations),
    },
  ],
};
