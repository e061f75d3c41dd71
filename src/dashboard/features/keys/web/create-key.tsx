import { Accordion, Select, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { isUnlimited } from "../../../../quotas/quota-settings.ts";
import type { Tag } from "../../../../vocabulary/key-tags.ts";
import { trpc } from "../../../web/api/trpc.ts";
import { defaultLimits } from "../../../web/parts/default-limits.ts";
import { DialogForm } from "../../../web/parts/dialog-form.tsx";
import { LimitFields } from "../../../web/parts/limit-fields.tsx";
import { findProblems, type LimitsDraft, toDraft, toSettings } from "../../../web/parts/limits-draft.ts";
import { SecretDialog } from "../../../web/parts/secret-dialog.tsx";
import { useOperationForm } from "../../../web/parts/use-operation-form.ts";
import { mayAct, useProject } from "../../../web/shell/session.ts";
import { filledTags, tagProblems } from "./filled-tags.ts";
import { NewKey } from "./new-key.tsx";
import { TagFields } from "./tag-fields.tsx";

const DAY_MS = 86_400_000;

const EXPIRY = [
  { value: "", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
];

const NO_LIMITS = toDraft({});
const NO_TAGS: readonly Tag[] = [{ name: "", value: "" }];

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks for the name and the expiry of a key, then shows the key. */
export function CreateKey({ isOpen, onClose }: Props) {
  return (
    <SecretDialog
      isOpen={isOpen}
      title="Create an API key"
      secretTitle="Your new API key"
      onClose={onClose}
      form={(onCreated, onCancel) => <CreateForm onCreated={onCreated} onCancel={onCancel} />}
      shown={(secret, onDone) => <NewKey secret={secret} onDone={onDone} />}
    />
  );
}

interface CreateFormProps {
  readonly onCreated: (secret: string) => void;
  readonly onCancel: () => void;
}

function CreateForm({ onCreated, onCancel }: CreateFormProps) {
  const project = useProject();
  const { form, state } = useOperationForm({
    initialValues: { name: "", expiresInDays: "", tags: NO_TAGS, limits: NO_LIMITS },
    validate: { tags: tagProblems },
    operation: trpc.keys.create.mutationOptions({ onSuccess: ({ key }) => onCreated(key) }),
    toInput: ({ name, expiresInDays, tags: draft, limits }) => {
      const tags = filledTags(draft);
      const settings = toSettings(limits);
      return {
        projectId: project.id,
        name,
        ...(expiresInDays !== "" && {
          expiresAt: new Date(Date.now() + Number(expiresInDays) * DAY_MS).toISOString(),
        }),
        ...(tags.length > 0 && { tags: [...tags] }),
        ...(!isUnlimited(settings) && { limits: settings }),
      };
    },
  });
  return (
    <DialogForm
      action="Create the key"
      onCancel={onCancel}
      {...state}
      isDisabled={Object.keys(findProblems(form.values.limits)).length > 0}
    >
      <TextInput
        label="Name"
        description="The person or program that uses it"
        placeholder="production backend"
        required
        data-autofocus
        {...form.getInputProps("name")}
      />
      <Select label="Expires" data={EXPIRY} allowDeselect={false} {...form.getInputProps("expiresInDays")} />
      <Accordion variant="contained" radius="md" multiple>
        <FoldedPart title="Tags">
          <TagFields
            tags={form.values.tags}
            showsProblems={form.errors["tags"] !== undefined}
            onChange={(tags) => form.setFieldValue("tags", tags)}
          />
        </FoldedPart>
        {mayAct(project, "limits.change") && (
          <FoldedPart title="Limits">
            <LimitsPart
              draft={form.values.limits}
              onChange={(limits) => form.setFieldValue("limits", limits)}
              findError={(rule) => form.errors[`limits.${rule}`]}
            />
          </FoldedPart>
        )}
      </Accordion>
    </DialogForm>
  );
}

/** A part of the form that most keys do not need. */
function FoldedPart({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Accordion.Item value={title}>
      <Accordion.Control fz="sm" fw={500}>
        {title}
      </Accordion.Control>
      <Accordion.Panel>{children}</Accordion.Panel>
    </Accordion.Item>
  );
}

interface LimitsPartProps {
  readonly draft: LimitsDraft;
  readonly onChange: (draft: LimitsDraft) => void;
  readonly findError: (rule: string) => ReactNode;
}

function LimitsPart({ draft, onChange, findError }: LimitsPartProps) {
  const { id: projectId } = useProject();
  const quotas = useQuery(trpc.quotas.list.queryOptions({ projectId }));
  return (
    <Stack gap="sm">
      <LimitFields
        draft={draft}
        onChange={onChange}
        defaults={defaultLimits(quotas.data, { kind: "key", name: "new" })}
        models={quotas.data?.models ?? []}
        findError={findError}
      />
    </Stack>
  );
}
