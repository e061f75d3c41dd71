import { Button, Modal, Select, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { trpc } from "../../../web/api/trpc.ts";
import { DialogForm } from "../../../web/parts/dialog-form.tsx";
import { useOperationForm } from "../../../web/parts/use-operation-form.ts";
import { useProject } from "../../../web/shell/session.ts";

/** A name for a model in the dialog. */
export interface EditedName {
  readonly name: string;
  readonly model: string;
  readonly isNew: boolean;
}

interface Props {
  /** Undefined where the dialog is closed. */
  readonly edited: EditedName | undefined;
  readonly onClose: () => void;
}

/** Adds a name for a model, gives it to another model, or removes it. */
export function NameDialog({ edited, onClose }: Props) {
  return (
    <Modal
      opened={edited !== undefined}
      onClose={onClose}
      title={edited?.isNew ? "Add an alias" : `Alias ${edited?.name ?? ""}`}
    >
      {edited !== undefined && <NameForm edited={edited} onDone={onClose} />}
    </Modal>
  );
}

function NameForm({ edited, onDone }: { readonly edited: EditedName; readonly onDone: () => void }) {
  const { id: projectId } = useProject();
  const models = useQuery(trpc.quotas.list.queryOptions({ projectId })).data?.models ?? [];
  const onSuccess = () => {
    notifications.show({ color: "teal", message: "Saved. It applies to new requests within a second" });
    onDone();
  };
  const { form, state } = useOperationForm({
    initialValues: { name: edited.name, model: edited.model },
    operation: trpc.projectSettings.setAlias.mutationOptions({ onSuccess }),
    toInput: (values) => ({ projectId, ...values }),
  });
  const remove = useMutation(
    trpc.projectSettings.removeAlias.mutationOptions({ onSuccess, meta: { showsError: true } }),
  );
  const { model } = form.values;
  return (
    <DialogForm
      action="Save"
      onCancel={onDone}
      {...state}
      error={state.error ?? remove.error}
      aside={
        !edited.isNew && (
          <Button
            variant="subtle"
            color="red.9"
            loading={remove.isPending}
            onClick={() => remove.mutate({ projectId, name: edited.name })}
          >
            Remove
          </Button>
        )
      }
    >
      {edited.isNew && (
        <TextInput
          label="Name"
          description="As calls send it"
          placeholder="fast"
          required
          data-autofocus
          {...form.getInputProps("name")}
        />
      )}
      <Select
        label="Model"
        data={model === "" || models.includes(model) ? [...models] : [model, ...models]}
        searchable
        required
        allowDeselect={false}
        {...form.getInputProps("model")}
        value={model === "" ? null : model}
      />
    </DialogForm>
  );
}
