import { Button, Modal, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useNavigate } from "react-router";
import { trpc } from "../../api/trpc.ts";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { useOperationForm } from "../../parts/use-operation-form.ts";
import { useProject } from "../../shell/session.ts";

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
  const navigate = useNavigate();
  const { form, state } = useOperationForm({
    initialValues: { name: "" },
    operation: trpc.datasets.create.mutationOptions({ onSuccess: ({ id }) => navigate(id) }),
    toInput: ({ name }) => ({ projectId, name: name.trim() }),
  });
  return (
    <DialogForm action="Create" onCancel={onClose} {...state}>
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
