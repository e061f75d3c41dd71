import { Button, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { SESSION_KEY } from "../api/query-client.ts";
import { type Column, DataTable } from "./data-table.tsx";
import { ErrorNote } from "./error-note.tsx";
import { formatAgo, formatNumber, formatTime } from "./format.ts";
import { Name } from "./name.tsx";
import { nameText } from "./name-text.ts";

type Deletion = Awaited<ReturnType<typeof api.projects.deletions.query>>[number];

/** The key of the deletions of who is signed in. */
export const DELETIONS_KEY = ["project-deletions"];

const REFRESH_MS = 5000;

/** Lists projects that were deleted, until their data is gone; owners restore them within a day. Nothing for none. */
export function DeletedProjects() {
  const client = useQueryClient();
  const deletions = useQuery({
    queryKey: DELETIONS_KEY,
    queryFn: () => api.projects.deletions.query(),
    refetchInterval: ({ state }) => (state.data?.some(({ isRunning }) => isRunning) ? REFRESH_MS : false),
  });
  const restore = useMutation({
    mutationFn: ({ projectId }: Deletion) => api.projects.restore.mutate({ deletedId: projectId }),
    meta: { showsError: true },
    onSuccess: async (_, { name }) => {
      notifications.show({ color: "teal", message: `${nameText(name)} is restored` });
      await client.invalidateQueries({ queryKey: SESSION_KEY });
    },
    onSettled: () => client.invalidateQueries({ queryKey: DELETIONS_KEY }),
  });
  if (deletions.isError) return <ErrorNote error={deletions.error} onRetry={() => void deletions.refetch()} />;
  if (!deletions.data?.length) return null;
  return (
    <>
      <Title order={2} size="h4" mt="md">
        Deleted projects
      </Title>
      <ErrorNote error={restore.error} />
      <DataTable
        caption="Deleted projects"
        columns={columns((deletion) => restore.mutate(deletion), restore.isPending)}
        rows={deletions.data}
        keyOf={({ projectId }) => projectId}
      />
    </>
  );
}

function columns(restore: (deletion: Deletion) => void, isPending: boolean): Column<Deletion>[] {
  return [
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
      cell: (deletion) =>
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
  ];
}
