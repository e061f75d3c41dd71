import { Group, Modal, Select, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { QuotaSettings } from "../../../quotas/quota.ts";
import { api } from "../api/client.ts";
import { fieldErrors } from "../api/errors.ts";
import { useProject } from "../shell/session.ts";
import { DialogForm } from "./dialog-form.tsx";
import { ErrorNote } from "./error-note.tsx";
import { LimitFields } from "./limit-fields.tsx";
import { findProblems, toDraft, toSettings } from "./limits-draft.ts";
import { type ChangedOwner, defaultsOf, type QuotaOwner, useQuotas, useRefreshQuotas } from "./use-quotas.ts";

/** The limits that are to be changed. */
export interface EditedLimits {
  readonly title: string;
  readonly owner: ChangedOwner;
  readonly settings: QuotaSettings;
  /** True where the owner has no limits yet, and is named in the dialog. */
  readonly isNew?: boolean;
}

const TAKEN = "Has limits already: change them in the list";

interface Props {
  /** Nothing is shown without them. */
  readonly edited: EditedLimits | undefined;
  readonly onClose: () => void;
}

/** A dialog in which owners of the project change the limits of someone. */
export function LimitsDialog({ edited, onClose }: Props) {
  return (
    <Modal opened={edited !== undefined} onClose={onClose} title={edited?.title}>
      {edited !== undefined && <LimitsForm edited={edited} onDone={onClose} />}
    </Modal>
  );
}

function LimitsForm({ edited, onDone }: { readonly edited: EditedLimits; readonly onDone: () => void }) {
  const { id: projectId } = useProject();
  const quotas = useQuotas();
  const refresh = useRefreshQuotas();
  const [owner, setOwner] = useState(edited.owner);
  const [draft, setDraft] = useState(() => toDraft(edited.settings));
  const save = useMutation({
    mutationFn: () => api.quotas.set.mutate({ projectId, owner, settings: toSettings(draft) }),
    onSuccess: async () => {
      onDone();
      notifications.show({ color: "teal", message: "Saved. It applies to new requests within a second" });
      await refresh();
    },
    meta: { showsError: true },
  });
  const isTaken = edited.isNew === true && quotas.data?.quotas.some((each) => isSame(owner, each)) === true;
  const hasProblem = isTaken || Object.keys(findProblems(draft)).length > 0;
  return (
    <DialogForm
      action="Save"
      onSubmit={() => save.mutate()}
      onCancel={onDone}
      isPending={save.isPending}
      isDisabled={hasProblem}
      error={save.error}
    >
      {edited.isNew && (
        <OwnerFields
          owner={owner}
          onChange={setOwner}
          problem={isTaken ? TAKEN : fieldErrors(save.error)["owner.name"]}
        />
      )}
      <ErrorNote error={quotas.error} onRetry={() => void quotas.refetch()} />
      <LimitFields
        draft={draft}
        onChange={setDraft}
        defaults={quotas.data === undefined ? {} : defaultsOf(quotas.data, owner)}
        models={quotas.data?.models ?? []}
      />
      <Text fz="sm" c="dimmed">
        Days and months are of UTC. 0 lets nothing through. Calls count for all who they belong to: the strictest limit
        decides.
      </Text>
    </DialogForm>
  );
}

function isSame(one: ChangedOwner, other: QuotaOwner): boolean {
  return one.kind === other.kind && one.name === other.name;
}

interface OwnerFieldsProps {
  readonly owner: ChangedOwner;
  readonly onChange: (owner: ChangedOwner) => void;
  readonly problem: string | undefined;
}

function OwnerFields({ owner, onChange, problem }: OwnerFieldsProps) {
  return (
    <Group grow align="flex-start">
      <Select
        label="Of"
        data={[
          { value: "endUser", label: "An end user" },
          { value: "tag", label: "A tag" },
        ]}
        allowDeselect={false}
        value={owner.kind}
        onChange={(kind) => onChange({ ...owner, kind: kind === "tag" ? "tag" : "endUser" })}
      />
      <TextInput
        label={owner.kind === "tag" ? "Tag" : "Id"}
        placeholder={owner.kind === "tag" ? "team=search" : "as calls have it"}
        required
        data-autofocus
        value={owner.name}
        error={problem}
        onChange={({ currentTarget }) => onChange({ ...owner, name: currentTarget.value })}
      />
    </Group>
  );
}
