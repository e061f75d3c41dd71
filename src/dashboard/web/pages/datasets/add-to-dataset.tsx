import { Anchor, Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconDatabasePlus } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { ErrorNote } from "../../parts/error-note.tsx";
import { formatNumber } from "../../parts/format.ts";
import { nameText } from "../../parts/name-text.ts";
import { useProject } from "../../shell/session.ts";
import { useDatasets, useRefreshDatasets } from "./use-datasets.ts";

/** The outcome of adding requests. */
interface Added {
  readonly added: number;
  readonly isComplete?: boolean;
}

interface Props {
  /** Says which requests are added. */
  readonly what: string;
  readonly add: (datasetId: string) => Promise<Added>;
}

/** Asks for a dataset, and adds requests to it. */
export function AddToDataset({ what, add }: Props) {
  const project = useProject();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const datasets = useDatasets(isOpen);
  const refresh = useRefreshDatasets();
  const adding = useMutation({
    mutationFn: add,
    onSuccess: async ({ added, isComplete = true }) => {
      close();
      const rest = isComplete ? "" : " Not all were looked at: add again with a shorter time.";
      const requests = added === 1 ? "1 request is" : `${formatNumber(added)} requests are`;
      notifications.show({ color: "teal", message: `${requests} new in the dataset.${rest}` });
      await refresh();
    },
    meta: { showsError: true },
  });
  return (
    <>
      <Button variant="default" onClick={open} leftSection={<IconDatabasePlus size={16} aria-hidden />}>
        Add to a dataset
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title="Add to a dataset"
        centered
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Stack>
          <Text fz="sm">{what}</Text>
          <ErrorNote error={datasets.error ?? adding.error} />
          {datasets.data?.length === 0 ? (
            <Text fz="sm">
              There is none yet.{" "}
              <Anchor component={Link} to={`/projects/${project.id}/datasets`} fz="sm">
                Create a dataset
              </Anchor>{" "}
              first.
            </Text>
          ) : (
            <Select
              label="Dataset"
              data={(datasets.data ?? []).map(({ id, name }) => ({ value: id, label: nameText(name) }))}
              value={chosen}
              onChange={setChosen}
              searchable
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              disabled={chosen === null}
              loading={adding.isPending}
              onClick={() => chosen !== null && adding.mutate(chosen)}
            >
              Add
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
