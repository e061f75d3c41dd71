import { Button, Modal, Select, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { fieldErrors } from "../../api/errors.ts";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { useRefreshSettings } from "../../parts/project-setting.tsx";
import { useQuotas } from "../../parts/use-quotas.ts";
import { useProject } from "../../shell/session.ts";

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
      title={edited?.isNew ? "Add a name for a model" : `Name ${edited?.name ?? ""}`}
    >
      {edited !== undefined && <NameForm edited={edited} onDone={onClose} />}
    </Modal>
  );
}

function NameForm({ edited, onDone }: { readonly edited: EditedName; readonly onDone: () => void }) {
  const { id: projectId } = useProject();
  const refresh = useRefreshSettings();
  const models = useQuotas().data?.models ?? [];
  const [{ name, model }, setDraft] = useState(edited);
  const done = async () => {
    await refresh();
    notifications.show({ color: "teal", message: "Saved. It applies to new requests within a second" });
    onDone();
  };
  const meta = { showsError: true };
  const save = useMutation({
    mutationFn: () => api.projectSettings.setAlias.mutate({ projectId, name, model }),
    ...{ onSuccess: done, meta },
  });
  const remove = useMutation({
    mutationFn: () => api.projectSettings.removeAlias.mutate({ projectId, name }),
    ...{ onSuccess: done, meta },
  });
  const problems = fieldErrors(save.error);
  return (
    <DialogForm
      action="Save"
      onSubmit={() => save.mutate()}
      onCancel={onDone}
      isPending={save.isPending}
      error={save.error ?? remove.error}
      aside={
        !edited.isNew && (
          <Button variant="subtle" color="red.9" loading={remove.isPending} onClick={() => remove.mutate()}>
            Remove
          </Button>
        )
      }
    >
      {edited.isNew && (
        <TextInput
          label="Name"
          description="As calls are to have it"
          placeholder="fast"
          required
          data-autofocus
          value={name}
          error={problems["name"]}
          onChange={({ currentTarget }) => setDraft({ ...edited, model, name: currentTarget.value })}
        />
      )}
      <Select
        label="Model"
        data={model === "" || models.includes(model) ? [...models] : [model, ...models]}
        searchable
        required
        allowDeselect={false}
        value={model === "" ? null : model}
        error={problems["model"]}
        onChange={(chosen) => setDraft({ ...edited, name, model: chosen ?? model })}
      />
    </DialogForm>
  );
}
