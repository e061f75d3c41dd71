import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconPlus, IconSend } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { Name } from "../../parts/name.tsx";
import { useProject } from "../../shell/session.ts";
import { AddDestination, KIND_LABELS } from "./add-destination.tsx";
import { DeliveriesTable } from "./deliveries-table.tsx";
import { Part } from "./part.tsx";
import { type Destination, useDestinations, useRefreshAlerts } from "./use-alerts.ts";

/** The destinations of the project's own, and the latest messages to them; for who may change them. */
export function DestinationsPart() {
  const { id: projectId } = useProject();
  const refresh = useRefreshAlerts();
  const destinations = useDestinations();
  const [isAdding, setIsAdding] = useState(false);
  const [removed, setRemoved] = useState<Destination>();
  const test = useMutation({
    mutationFn: ({ id }: Destination) => api.alerts.testDestination.mutate({ projectId, id }),
    onSuccess: async ({ isDelivered, problem }, { name }) => {
      notifications.show(
        isDelivered
          ? { color: "teal", message: `${name} took the test` }
          : { color: "red", message: `${name} did not take the test: ${problem}` },
      );
      await refresh();
    },
  });
  const remove = useMutation({
    mutationFn: ({ id }: Destination) => api.alerts.removeDestination.mutate({ projectId, id }),
    onSuccess: async () => {
      setRemoved(undefined);
      await refresh();
    },
  });
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
        caption="Destinations"
        columns={[
          ...DESTINATION,
          actions({ test: test.mutate, tested: test.isPending ? test.variables.id : undefined, remove: setRemoved }),
        ]}
        rows={destinations.data?.destinations}
        keyOf={({ id }) => id}
        empty={
          <EmptyState
            Icon={IconSend}
            title="No destinations"
            text="Messages about alerts of this project go to webhooks, chat or mail that you add."
          />
        }
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
        onConfirm={() => removed && remove.mutate(removed)}
        onClose={() => setRemoved(undefined)}
      >
        It gets no further messages, and those on their way are given up.
      </Confirm>
    </Part>
  );
}

const DESTINATION: readonly Column<Destination>[] = [
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
];

interface Acts {
  readonly test: (destination: Destination) => void;
  /** Id of the one whose test is under way. */
  readonly tested: string | undefined;
  readonly remove: (destination: Destination) => void;
}

function actions({ test, tested, remove }: Acts): Column<Destination> {
  return {
    heading: "Actions",
    isAction: true,
    cell: (destination) => (
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
  };
}
