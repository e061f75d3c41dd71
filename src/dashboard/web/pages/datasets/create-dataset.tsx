import { Button, Modal, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api } from "../../api/client.ts";
import { fieldErrors } from "../../api/errors.ts";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { useProject } from "../../shell/session.ts";
import { useRefreshDatasets } from "./use-datasets.ts";

/** Asks for the name of a new dataset, and opens it. */
export function CreateDataset() {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button onClick={open} leftSection={<IconPlus size={16} aria-hidden />}>
        Create a dataset
      </Button>
      <Modal opened={isOpen} onClose={close} title="Create a dataset">
        <CreateForm onClose={close} />
      </Modal>
    </>
  );
}

function CreateForm({ onClose }: { readonly onClose: () => void }) {
  const { id: projectId } = useProject();
  const refresh = useRefreshDatasets();
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: "" } });
  const create = useMutation({
    mutationFn: (name: string) => api.datasets.create.mutate({ projectId, name }),
    onSuccess: async ({ id }) => {
      await refresh();
      await navigate(id);
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
    meta: { showsError: true },
  });
  return (
    <DialogForm
      action="Create"
      onSubmit={form.onSubmit(({ name }) => create.mutate(name.trim()))}
      onCancel={onClose}
      isPending={create.isPending}
      error={create.error}
    >
      <TextInput
        label="Name"
        placeholder="Good answers of support"
        maxLength={100}
        required
        data-autofocus
        {...form.getInputProps("name")}
      />
    </DialogForm>
  );
}
