import { Button, Modal, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { findTagProblems } from "../../../../hub/key-tags.ts";
import { api } from "../../api/client.ts";
import { fieldErrors } from "../../api/errors.ts";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { ManagedBadge } from "../../parts/managed-badge.tsx";
import { nameText } from "../../parts/name-text.ts";
import { describeZone } from "../../parts/zone.ts";
import { useProject } from "../../shell/session.ts";
import { filledTags } from "./filled-tags.ts";
import { changeOf, draftOf } from "./key-draft.ts";
import { TagFields } from "./tag-fields.tsx";
import { type ApiKey, useRefreshKeys } from "./use-keys.ts";

interface Props {
  /** The key that is to be changed; nothing is shown without one. */
  readonly apiKey: ApiKey | undefined;
  readonly onClose: () => void;
}

/** A dialog in which the name, the expiry and the tags of a key are changed. */
export function EditKey({ apiKey, onClose }: Props) {
  return (
    <Modal opened={apiKey !== undefined} onClose={onClose} title={`Edit ${nameText(apiKey?.name ?? "")}`}>
      {apiKey !== undefined && <EditForm apiKey={apiKey} onDone={onClose} />}
    </Modal>
  );
}

type KeyChange = NonNullable<ReturnType<typeof changeOf>>;

function EditForm({ apiKey, onDone }: { readonly apiKey: ApiKey; readonly onDone: () => void }) {
  const { id: projectId } = useProject();
  const refresh = useRefreshKeys();
  const [draft, setDraft] = useState(() => draftOf(apiKey));
  const [isSent, setIsSent] = useState(false);
  const save = useMutation({
    mutationFn: (change: KeyChange) => api.keys.update.mutate({ projectId, keyId: apiKey.id, ...change }),
    onSuccess: async () => {
      await refresh();
      notifications.show({ color: "teal", message: "Saved. It applies to new requests within a second" });
      onDone();
    },
    meta: { showsError: true },
  });
  const errors = fieldErrors(save.error);
  const send = () => {
    setIsSent(true);
    if (findTagProblems(filledTags(draft.tags)).size > 0) return;
    const change = changeOf(apiKey, draft);
    if (change === undefined) onDone();
    else save.mutate(change);
  };
  return (
    <DialogForm
      action="Save"
      onSubmit={send}
      onCancel={onDone}
      isPending={save.isPending}
      error={save.error}
      aside={<ManagedBadge kind="key" name={apiKey.publicId} />}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        value={draft.name}
        error={errors["name"]}
        onChange={({ currentTarget: { value } }) => setDraft((old) => ({ ...old, name: value }))}
      />
      <ExpiryField
        value={draft.expires}
        error={errors["expiresAt"]}
        onChange={(expires) => setDraft((old) => ({ ...old, expires }))}
      />
      <TagFields tags={draft.tags} showsProblems={isSent} onChange={(tags) => setDraft((old) => ({ ...old, tags }))} />
    </DialogForm>
  );
}

interface ExpiryProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

function ExpiryField({ value, error, onChange }: ExpiryProps) {
  return (
    <TextInput
      type="datetime-local"
      step={1}
      label="Expires"
      description={`Never, if it is empty. By your clock: ${describeZone()}`}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      rightSection={
        <Button variant="default" size="compact-xs" disabled={value === ""} onClick={() => onChange("")}>
          Never
        </Button>
      }
      rightSectionWidth={72}
    />
  );
}
