import { Button, Group, Modal, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { findTagProblems, type Tag } from "../../../../hub/key-tags.ts";
import { api } from "../../api/client.ts";
import { ErrorNote } from "../../parts/error-note.tsx";
import { ManagedBadge } from "../../parts/managed-badge.tsx";
import { nameText } from "../../parts/name-text.ts";
import { useProject } from "../../shell/session.ts";
import { filledTags, TagFields } from "./tag-fields.tsx";
import { type ApiKey, useRefreshKeys } from "./use-keys.ts";

interface Props {
  /** The key whose tags are to be changed; nothing is shown without one. */
  readonly apiKey: ApiKey | undefined;
  readonly onClose: () => void;
}

/** A dialog in which the tags of a key are changed. */
export function TagsDialog({ apiKey, onClose }: Props) {
  return (
    <Modal
      opened={apiKey !== undefined}
      onClose={onClose}
      title={`Tags of ${nameText(apiKey?.name ?? "")}`}
      centered
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {apiKey !== undefined && <TagsForm apiKey={apiKey} onDone={onClose} />}
    </Modal>
  );
}

function TagsForm({ apiKey, onDone }: { readonly apiKey: ApiKey; readonly onDone: () => void }) {
  const { id: projectId } = useProject();
  const refresh = useRefreshKeys();
  const [draft, setDraft] = useState<readonly Tag[]>(() => {
    const tags = Object.entries(apiKey.tags).map(([name, value]) => ({ name, value }));
    return tags.length > 0 ? tags : [{ name: "", value: "" }];
  });
  const [isSent, setIsSent] = useState(false);
  const tags = filledTags(draft);
  const save = useMutation({
    mutationFn: () => api.keys.setTags.mutate({ projectId, keyId: apiKey.id, tags: [...tags] }),
    onSuccess: async () => {
      await refresh();
      notifications.show({ color: "teal", message: "Saved. It applies to new requests within a second" });
      onDone();
    },
    meta: { showsError: true },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setIsSent(true);
        if (findTagProblems(tags).size === 0) save.mutate();
      }}
    >
      <Stack>
        <TagFields tags={draft} showsProblems={isSent} onChange={setDraft} />
        <ErrorNote error={save.error} />
        <Group justify="flex-end">
          <ManagedBadge kind="key" name={apiKey.publicId} />
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
