import { Group, Modal, Select, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import type { QuotaSettings } from "../../../quotas/quota.ts";
import { type Inputs, trpc } from "../api/trpc.ts";
import { useProject } from "../shell/session.ts";
import { defaultLimits, type QuotaOwner } from "./default-limits.ts";
import { DialogForm } from "./dialog-form.tsx";
import { ErrorNote } from "./error-note.tsx";
import { LimitFields } from "./limit-fields.tsx";
import { findProblems, toDraft, toSettings } from "./limits-draft.ts";
import { useOperationForm } from "./use-operation-form.ts";

/** An owner whose quota owners of the project change. */
type ChangedOwner = Inputs["quotas"]["set"]["owner"];

/** The limits that are to be changed. */
export interface EditedLimits {
  readonly title: string;
  readonly owner: ChangedOwner;
  readonly settings: QuotaSettings;
  /** True where the owner has no limits yet, and is named in the dialog. */
  readonly isNew?: boolean;
}

const TAKEN = "Already has limits: change them in the list";

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
  const quotas = useQuery(trpc.quotas.list.queryOptions({ projectId }));
  const { form, state } = useOperationForm({
    initialValues: { owner: edited.owner, settings: toDraft(edited.settings) },
    operation: trpc.quotas.set.mutationOptions({
      // The list of keys shows theirs.
      meta: { changes: [trpc.quotas.pathFilter(), trpc.keys.pathFilter()] },
      onSuccess: () => {
        onDone();
        notifications.show({ color: "teal", message: "Saved. It applies to new requests within a second" });
      },
    }),
    toInput: ({ owner, settings }) => ({ projectId, owner, settings: toSettings(settings) }),
  });
  const { owner, settings } = form.values;
  const isTaken = edited.isNew === true && quotas.data?.quotas.some((each) => isSame(owner, each)) === true;
  return (
    <DialogForm
      action="Save"
      onCancel={onDone}
      {...state}
      isDisabled={isTaken || Object.keys(findProblems(settings)).length > 0}
    >
      {edited.isNew && (
        <Group grow align="flex-start">
          <Select
            label="Applies to"
            data={[
              { value: "endUser", label: "An end user" },
              { value: "tag", label: "A tag" },
            ]}
            allowDeselect={false}
            {...form.getInputProps("owner.kind")}
          />
          <TextInput
            label={owner.kind === "tag" ? "Tag" : "Id"}
            placeholder={owner.kind === "tag" ? "team=search" : "as calls send it"}
            required
            data-autofocus
            {...form.getInputProps("owner.name")}
            {...(isTaken && { error: TAKEN })}
          />
        </Group>
      )}
      <ErrorNote error={quotas.error} onRetry={() => void quotas.refetch()} />
      <LimitFields
        draft={settings}
        onChange={(changed) => form.setFieldValue("settings", changed)}
        defaults={defaultLimits(quotas.data, owner)}
        models={quotas.data?.models ?? []}
        findError={(rule) => form.errors[`settings.${rule}`]}
      />
      <Text fz="sm" c="dimmed">
        Days and months are in UTC. 0 blocks all calls. A call counts toward all of its owners, and the strictest limit
        applies.
      </Text>
    </DialogForm>
  );
}

function isSame(one: ChangedOwner, other: QuotaOwner): boolean {
  return one.kind === other.kind && one.name === other.name;
}
