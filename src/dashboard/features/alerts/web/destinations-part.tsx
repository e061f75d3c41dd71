import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconPlus, IconSend } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../../web/api/trpc.ts";
import { Confirm } from "../../../web/parts/confirm.tsx";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { EmptyState } from "../../../web/parts/empty-state.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { Name } from "../../../web/parts/name.tsx";
import { useProject } from "../../../web/shell/session.ts";
import { AddDestination, KIND_LABELS } from "./add-destination.tsx";
import { DeliveriesTable } from "./deliveries-table.tsx";
import { Part } from "./part.tsx";
import type { Destination } from "./types.ts";

/** The destinations of the project's own, and the latest messages to them; for who may change them. */
export function DestinationsPart() {
  const { id: projectId } = useProject();
  const destinations = useQuery(trpc.alerts.destinations.queryOptions({ projectId }));
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<Destination>();
  const test = useMutation(trpc.alerts.testDestination.mutationOptions());
  const sendTest = ({ id, name }: Destination) =>
    test.mutate(
      { projectId, id },
      {
        onSuccess: ({ isDelivered, problem }) =>
          notifications.show(
            isDelivered
              ? { color: "teal", message: `${name} took the test` }
              : { color: "red", message: `The test message to ${name} failed: ${problem}` },
          ),
      },
    );
  const remove = useMutation(trpc.alerts.removeDestination.mutationOptions({ onSuccess: () => setRemoved(undefined) }));
  const general = destinations.data?.general ?? 0;
  return (
    <Part
      title="Destinations"
      action={
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
          Add a destination
        </Button>
      }
    >
      <ErrorNote error={destinations.error} onRetry={() => void destinations.refetch()} />
      <DataTable
        table={TABLE}
        rows={destinations.data?.destinations}
        context={{ test: sendTest, tested: test.isPending ? test.variables.id : undefined, remove: setRemoved }}
      />
      {general > 0 && (
        <Text fz="sm" c="dimmed">
          The operator is told too: {general} {general === 1 ? "destination gets" : "destinations get"} the alerts of
          all projects.
        </Text>
      )}
      <DeliveriesTable destinations={destinations.data?.destinations ?? []} />
      <AddDestination
        isOpen={isAdding}
        hasMail={destinations.data?.hasMail ?? false}
        onClose={() => setIsAdding(false)}
      />
      <Confirm
        isOpen={removed !== undefined}
        title={`Remove ${removed?.name ?? ""}`}
        action="Remove the destination"
        isPending={remove.isPending}
        onConfirm={() => removed && remove.mutate({ projectId, id: removed.id })}
        onClose={() => setRemoved(undefined)}
      >
        It gets no more messages, and undelivered ones are dropped.
      </Confirm>
    </Part>
  );
}

interface Acts {
  readonly test: (destination: Destination) => void;
  /** Id of the one whose test is under way. */
  readonly tested: string | undefined;
  readonly remove: (destination: Destination) => void;
}

const TABLE: TableDescription<Destination, Acts> = {
  caption: "Destinations",
  rowKey: ({ id }) => id,
  empty: (
    <EmptyState
      Icon={IconSend}
      title="No destinations"
      text="Messages about alerts of this project go to webhooks, chat or mail that you add."
    />
  ),
  columns: [
    {
      heading: "Name",
      cell: ({ name }) => (
        <Text fw={500} fz="sm">
          {name}
        </Text>
      ),
    },
    { heading: "Kind", cell: ({ kind }) => KIND_LABELS[kind], isMinor: true },
    { heading: "Leads to", cell: ({ target }) => <Name>{target}</Name>, isMinor: true },
    {
      heading: "Actions",
      isAction: true,
      cell: (destination, { test, tested, remove }) => (
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Button
            variant="default"
            size="compact-sm"
            loading={tested === destination.id}
            onClick={() => test(destination)}
            aria-label={`Send a test to ${destination.name}`}
          >
            Test
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => remove(destination)}
            aria-label={`Remove ${destination.name}`}
          >
            Remove
          </Button>
        </Group>
      ),
    },
  ],
};
