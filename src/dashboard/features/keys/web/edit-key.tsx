import { Button, Modal, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { trpc } from "../../../web/api/trpc.ts";
import { DialogForm } from "../../../web/parts/dialog-form.tsx";
import { ManagedBadge } from "../../../web/parts/managed-badge.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { useOperationForm } from "../../../web/parts/use-operation-form.ts";
import { describeZone } from "../../../web/parts/zone.ts";
import { useProject } from "../../../web/shell/session.ts";
import { tagProblems } from "./filled-tags.ts";
import { findChange, toDraft } from "./key-draft.ts";
import { TagFields } from "./tag-fields.tsx";
import type { ApiKey } from "./types.ts";

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

function EditForm({ apiKey, onDone }: { readonly apiKey: ApiKey; readonly onDone: () => void }) {
  const { id: projectId } = useProject();
  const { form, state } = useOperationForm({
    initialValues: toDraft(apiKey),
    validate: { tags: tagProblems },
    operation: trpc.keys.update.mutationOptions({
      onSuccess: () => {
        notifications.show({ color: "teal", message: "Saved. It applies to new requests within a second" });
        onDone();
      },
    }),
    toInput: (draft) => {
      const change = findChange(apiKey, draft);
      if (change !== undefined) return { projectId, publicId: apiKey.publicId, ...change };
      onDone();
      return undefined;
    },
  });
  return (
    <DialogForm action="Save" onCancel={onDone} {...state} aside={<ManagedBadge kind="key" name={apiKey.publicId} />}>
      <TextInput label="Name" required data-autofocus {...form.getInputProps("name")} />
      <TextInput
        type="datetime-local"
        step={1}
        label="Expires"
        description={`Leave it empty for a key that never expires. Your time zone: ${describeZone()}`}
        {...form.getInputProps("expiresAt")}
        rightSection={
          <Button
            variant="default"
            size="compact-xs"
            disabled={form.values.expiresAt === ""}
            onClick={() => form.setFieldValue("expiresAt", "")}
          >
            Never
          </Button>
        }
        rightSectionWidth={72}
      />
      <TagFields
        tags={form.values.tags}
        showsProblems={form.errors["tags"] !== undefined}
        onChange={(tags) => form.setFieldValue("tags", tags)}
      />
    </DialogForm>
  );
}
