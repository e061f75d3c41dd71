import { Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconDownload, IconTrash, IconUserShield } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Outputs, trpc } from "../../api/trpc.ts";
import { DASHBOARD_PATH } from "../../dashboard-path.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { DataTable, type TableDescription } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { formatAgo, formatNumber, formatTime } from "../../parts/format.ts";
import { Name } from "../../parts/name.tsx";
import { Page } from "../../shell/page.tsx";
import { useProject } from "../../shell/session.ts";

type Deletion = Outputs["endUsers"]["deletions"][number];

const REFRESH_MS = 2000;
const LEAD = "All that the calls of one end user left, exported or deleted with its texts.";

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
  const input = encodeURIComponent(JSON.stringify({ projectId, endUserId }));
  return (
    <Button {...look} component="a" href={`${DASHBOARD_PATH}/api/export/end-user?input=${input}`} download>
      Export
    </Button>
  );
}

/** Exports and deletes the data of an end user. */
export function EndUsersPage() {
  const { id: projectId } = useProject();
  const [text, setText] = useState("");
  const [isAsking, setAsking] = useState(false);
  const endUserId = text.trim();
  const deletions = useQuery(
    trpc.endUsers.deletions.queryOptions(
      { projectId },
      { refetchInterval: ({ state }) => (state.data?.some((one) => one.state === "running") ? REFRESH_MS : false) },
    ),
  );
  const deletion = useMutation(
    trpc.endUsers.delete.mutationOptions({ meta: { showsError: true }, onSettled: () => setAsking(false) }),
  );
  return (
    <Page title="End users" lead={LEAD}>
      <Stack gap="xs">
        <Group align="flex-end" gap="sm">
          <TextInput
            label="Id"
            description="As calls name the end user"
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            w={320}
          />
          <ExportButton endUserId={endUserId} />
          <Button
            color="red.9"
            disabled={endUserId === ""}
            onClick={() => setAsking(true)}
            leftSection={<IconTrash size={16} aria-hidden />}
          >
            Delete
          </Button>
        </Group>
        <ErrorNote error={deletion.error} />
      </Stack>
      <Title order={2} size="h4">
        Deletions
      </Title>
      <ErrorNote error={deletions.error} onRetry={() => void deletions.refetch()} />
      <DataTable table={TABLE} rows={deletions.data} />
      <Confirm
        isOpen={isAsking}
        title={`Delete the data of ${endUserId}?`}
        action="Delete the data"
        isPending={deletion.isPending}
        onConfirm={() => deletion.mutate({ projectId, endUserId })}
        onClose={() => setAsking(false)}
      >
        Its requests and answers, the feedback on them, its figures and the conversations that its calls went on with
        are deleted in the background. This cannot be undone.
      </Confirm>
    </Page>
  );
}

const STATES: Readonly<Record<string, string>> = { running: "Running", done: "Done", failed: "Failed" };

const TABLE: TableDescription<Deletion> = {
  caption: "Deletions",
  rowKey: ({ id }) => id,
  empty: (
    <EmptyState Icon={IconUserShield} title="No deletions" text="What is deleted here is listed, with its state." />
  ),
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
