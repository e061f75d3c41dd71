import { Button, Modal, Select, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconDatabasePlus } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { DialogForm } from "../../parts/dialog-form.tsx";
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

/** The choice of a dataset that is made first. */
const NEW = "new";

/** Asks for a dataset, or makes one, and adds requests to it. */
export function AddToDataset({ what, add }: Props) {
  const project = useProject();
  const [isOpen, { open, close }] = useDisclosure(false);
  const [selected, setSelected] = useState<string | null>(null);
  const [name, setName] = useState("");
  const datasets = useDatasets(isOpen);
  const chosen = datasets.data?.length === 0 ? NEW : selected;
  const refresh = useRefreshDatasets();
  const adding = useMutation({
    mutationFn: async (dataset: string) => {
      if (dataset !== NEW) return await add(dataset);
      const { id } = await api.datasets.create.mutate({ projectId: project.id, name: name.trim() });
      // What fails from here on is tried again with the dataset that is there now.
      setSelected(id);
      await refresh();
      return await add(id);
    },
    onSuccess: async ({ added, isComplete = true }) => {
      close();
      setName("");
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
      <Modal opened={isOpen} onClose={close} title="Add to a dataset">
        <DialogForm
          action="Add"
          onSubmit={() => chosen !== null && adding.mutate(chosen)}
          onCancel={close}
          isPending={adding.isPending}
          isDisabled={chosen === null || (chosen === NEW && name.trim() === "")}
          error={datasets.error ?? adding.error}
        >
          <Text fz="sm">{what}</Text>
          {datasets.data !== undefined && datasets.data.length > 0 && (
            <Select
              label="Dataset"
              data={[
                ...datasets.data.map((one) => ({ value: one.id, label: nameText(one.name) })),
                { value: NEW, label: "A new dataset" },
              ]}
              value={chosen}
              onChange={setSelected}
              searchable
              allowDeselect={false}
            />
          )}
          {chosen === NEW && (
            <TextInput
              label="Name of the new dataset"
              value={name}
              maxLength={100}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          )}
        </DialogForm>
      </Modal>
    </>
  );
}
