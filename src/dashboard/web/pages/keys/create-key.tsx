import { Accordion, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { findTagProblems, type Tag } from "../../../../hub/key-tags.ts";
import { isUnlimited } from "../../../../quotas/quota-settings.ts";
import { api } from "../../api/client.ts";
import { fieldErrors } from "../../api/errors.ts";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { LimitFields } from "../../parts/limit-fields.tsx";
import { findProblems, type LimitsDraft, toDraft, toSettings } from "../../parts/limits-draft.ts";
import { defaultsOf, useQuotas } from "../../parts/use-quotas.ts";
import { mayAct, useProject } from "../../shell/session.ts";
import { filledTags } from "./filled-tags.ts";
import { NewKey } from "./new-key.tsx";
import { TagFields } from "./tag-fields.tsx";
import { useRefreshKeys } from "./use-keys.ts";

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

type NewKeySettings = Omit<Parameters<typeof api.keys.create.mutate>[0], "projectId">;

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks for the name and the expiry of a key, then shows the key. */
export function CreateKey({ isOpen, onClose }: Props) {
  const { id: projectId } = useProject();
  const refresh = useRefreshKeys();
  const create = useMutation({
    mutationFn: (key: NewKeySettings) => api.keys.create.mutate({ projectId, ...key }),
    onSuccess: refresh,
    meta: { showsError: true },
  });
  const close = () => {
    onClose();
    create.reset();
  };
  const key = create.data?.key;
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={key === undefined ? "Create an API key" : "Your new API key"}
      size={key === undefined ? "md" : "lg"}
      // A click beside the dialog must not take away the only sight of a key.
      closeOnClickOutside={key === undefined}
    >
      {key === undefined ? <CreateForm create={create} onCancel={close} /> : <NewKey secret={key} onDone={close} />}
    </Modal>
  );
}

interface CreateFormProps {
  readonly create: Pick<UseMutationResult<unknown, Error, NewKeySettings>, "mutate" | "error" | "isPending">;
  readonly onCancel: () => void;
}

function CreateForm({ create, onCancel }: CreateFormProps) {
  const mayLimit = mayAct(useProject(), "limits.change");
  const [limits, setLimits] = useState(NO_LIMITS);
  const [draft, setDraft] = useState<readonly Tag[]>(NO_TAGS);
  const [isSent, setIsSent] = useState(false);
  const tags = filledTags(draft);
  const form = useForm({ mode: "uncontrolled", initialValues: { name: "", expiresInDays: "" } });
  const send = ({ name, expiresInDays }: typeof form.values) => {
    setIsSent(true);
    if (findTagProblems(tags).size > 0) return;
    const expiresAt = new Date(Date.now() + Number(expiresInDays) * DAY_MS).toISOString();
    const settings = toSettings(limits);
    const key = {
      name,
      ...(expiresInDays === "" ? {} : { expiresAt }),
      ...(tags.length === 0 ? {} : { tags: [...tags] }),
      ...(isUnlimited(settings) ? {} : { limits: settings }),
    };
    create.mutate(key, { onError: (error) => form.setErrors(fieldErrors(error)) });
  };
  return (
    <DialogForm
      action="Create the key"
      onSubmit={form.onSubmit(send)}
      onCancel={onCancel}
      isPending={create.isPending}
      isDisabled={Object.keys(findProblems(limits)).length > 0}
      error={create.error}
    >
      <TextInput
        label="Name"
        description="Who or what calls with it"
        placeholder="production backend"
        required
        data-autofocus
        key={form.key("name")}
        {...form.getInputProps("name")}
      />
      <Select
        label="Expires"
        data={EXPIRY}
        allowDeselect={false}
        key={form.key("expiresInDays")}
        {...form.getInputProps("expiresInDays")}
      />
      <Accordion variant="contained" radius="md" multiple>
        <FoldedPart title="Tags">
          <TagFields tags={draft} showsProblems={isSent} onChange={setDraft} />
        </FoldedPart>
        {mayLimit && (
          <FoldedPart title="Limits">
            <LimitsPart draft={limits} onChange={setLimits} />
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
}

function LimitsPart({ draft, onChange }: LimitsPartProps) {
  const quotas = useQuotas();
  return (
    <Stack gap="sm">
      <LimitFields
        draft={draft}
        onChange={onChange}
        defaults={quotas.data === undefined ? {} : defaultsOf(quotas.data, { kind: "key", name: "new" })}
        models={quotas.data?.models ?? []}
      />
    </Stack>
  );
}
