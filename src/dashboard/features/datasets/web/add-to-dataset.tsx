import { Button, Modal, Select, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconDatabasePlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../../web/api/client.ts";
import { queryClient, trpc } from "../../../web/api/trpc.ts";
import { DialogForm } from "../../../web/parts/dialog-form.tsx";
import { formatNumber } from "../../../web/parts/format.ts";
import { nameText } from "../../../web/parts/name-text.ts";
import { useOperationForm } from "../../../web/parts/use-operation-form.ts";
import { useProject } from "../../../web/shell/session.ts";

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
export function AddToDataset(props: Props) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={open} leftSection={<IconDatabasePlus size={16} aria-hidden />}>
        Add to a dataset
      </Button>
      <Modal opened={isOpen} onClose={close} title="Add to a dataset">
        <AddForm {...props} onClose={close} />
      </Modal>
    </>
  );
}

function AddForm({ what, add, onClose }: Props & { readonly onClose: () => void }) {
  const { id: projectId } = useProject();
  const datasets = useQuery(trpc.datasets.list.queryOptions({ projectId }));
  const choose = (dataset: string | null) => (datasets.data?.length === 0 ? NEW : dataset);
  const { form, state } = useOperationForm({
    initialValues: { dataset: null as string | null, name: "" },
    operation: {
      mutationFn: async ({ dataset, name }: { readonly dataset: string; readonly name: string }): Promise<Added> => {
        if (dataset !== NEW) return await add(dataset);
        const { id } = await api.datasets.create.mutate({ projectId, name });
        // What fails from here on is tried again with the dataset that is there now.
        form.setFieldValue("dataset", id);
        await queryClient.invalidateQueries(trpc.datasets.pathFilter());
        return await add(id);
      },
      onSuccess: ({ added, isComplete = true }) => {
        onClose();
        const rest = isComplete ? "" : " Not all matches were checked. Choose a shorter period and add again.";
        const requests = added === 1 ? "1 request is" : `${formatNumber(added)} requests are`;
        notifications.show({ color: "teal", message: `${requests} new in the dataset.${rest}` });
      },
      meta: { changes: [trpc.datasets.pathFilter()] },
    },
    toInput: ({ dataset, name }) => {
      const chosen = choose(dataset);
      return chosen === null ? undefined : { dataset: chosen, name: name.trim() };
    },
  });
  const { dataset, name } = form.values;
  const chosen = choose(dataset);
  return (
    <DialogForm
      action="Add"
      onCancel={onClose}
      {...state}
      isDisabled={chosen === null || (chosen === NEW && name.trim() === "")}
      error={datasets.error ?? state.error}
    >
      <Text fz="sm">{what}</Text>
      {datasets.data !== undefined && datasets.data.length > 0 && (
        <Select
          label="Dataset"
          data={[
            ...datasets.data.map((one) => ({ value: one.id, label: nameText(one.name) })),
            { value: NEW, label: "A new dataset" },
          ]}
          searchable
          allowDeselect={false}
          {...form.getInputProps("dataset")}
        />
      )}
      {chosen === NEW && <TextInput label="Name of the new dataset" maxLength={100} {...form.getInputProps("name")} />}
    </DialogForm>
  );
}
