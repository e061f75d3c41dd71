import { Button, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type Outputs, trpc } from "../api/trpc.ts";
import { DataTable, type TableDescription } from "./data-table.tsx";
import { ErrorNote } from "./error-note.tsx";
import { formatAgo, formatNumber, formatTime } from "./format.ts";
import { Name } from "./name.tsx";
import { nameText } from "./name-text.ts";

type Deletion = Outputs["projects"]["deletions"][number];

const REFRESH_MS = 5000;

/** Lists projects that were deleted, until their data is gone; owners restore them within a day. Nothing for none. */
export function DeletedProjects() {
  const deletions = useQuery(
    trpc.projects.deletions.queryOptions(undefined, {
      refetchInterval: ({ state }) => (state.data?.some(({ isRunning }) => isRunning) ? REFRESH_MS : false),
    }),
  );
  const restore = useMutation(
    trpc.projects.restore.mutationOptions({
      meta: { showsError: true, changes: [trpc.projects.pathFilter(), trpc.session.current.pathFilter()] },
    }),
  );
  const restoreProject = ({ projectId, name }: Deletion) =>
    restore.mutate(
      { deletedId: projectId },
      { onSuccess: () => notifications.show({ color: "teal", message: `${nameText(name)} is restored` }) },
    );
  if (deletions.isError) return <ErrorNote error={deletions.error} onRetry={() => void deletions.refetch()} />;
  if (!deletions.data?.length) return null;
  return (
    <>
      <Title order={2} size="h4" mt="md">
        Deleted projects
      </Title>
      <ErrorNote error={restore.error} />
      <DataTable
        table={TABLE}
        rows={deletions.data}
        context={{ restore: restoreProject, isPending: restore.isPending }}
      />
    </>
  );
}

interface Context {
  readonly restore: (deletion: Deletion) => void;
  readonly isPending: boolean;
}

const TABLE: TableDescription<Deletion, Context> = {
  caption: "Deleted projects",
  rowKey: ({ projectId }) => projectId,
  columns: [
    { heading: "Name", cell: ({ name }) => <Name>{name}</Name> },
    {
      heading: "State",
      cell: ({ isRunning, dueAt, inferences }) => (
        <Text fz="sm" title={formatTime(dueAt)}>
          {isRunning
            ? `Deleting: ${formatNumber(inferences)} requests gone`
            : `Its data is deleted ${formatAgo(dueAt)}`}
        </Text>
      ),
    },
    { heading: "Deleted by", isMinor: true, cell: ({ by }) => <Name>{by}</Name> },
    {
      heading: "Actions",
      isAction: true,
      cell: (deletion, { restore, isPending }) =>
        !deletion.isRunning && (
          <Button
            variant="default"
            size="compact-sm"
            disabled={isPending}
            onClick={() => restore(deletion)}
            aria-label={`Restore ${nameText(deletion.name)}`}
          >
            Restore
          </Button>
        ),
    },
  ],
};
