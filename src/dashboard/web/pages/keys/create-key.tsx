import { Accordion, Button, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { isUnlimited } from "../../../../quotas/quota-settings.ts";
import { api } from "../../api/client.ts";
import { fieldErrors } from "../../api/errors.ts";
import { ErrorNote } from "../../parts/error-note.tsx";
import { LimitFields } from "../../parts/limit-fields.tsx";
import { findProblems, type LimitsDraft, toDraft, toSettings } from "../../parts/limits-draft.ts";
import { defaultsOf, useQuotas } from "../../parts/use-quotas.ts";
import { mayAct, useProject } from "../../shell/session.ts";
import { NewKey } from "./new-key.tsx";
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

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks for the name and the expiry of a key, then shows the key. */
export function CreateKey({ isOpen, onClose }: Props) {
  const { id: projectId } = useProject();
  const refresh = useRefreshKeys();
  const mayLimit = mayAct(useProject(), "limits.change");
  const [limits, setLimits] = useState(NO_LIMITS);
  const isWrong = Object.keys(findProblems(limits)).length > 0;
  const form = useForm({ mode: "uncontrolled", initialValues: { name: "", expiresInDays: "" } });
  const create = useMutation({
    mutationFn: ({ name, expiresInDays }: typeof form.values) => {
      const expiresAt = new Date(Date.now() + Number(expiresInDays) * DAY_MS).toISOString();
      const settings = toSettings(limits);
      return api.keys.create.mutate({
        ...{ projectId, name },
        ...(expiresInDays === "" ? {} : { expiresAt }),
        ...(isUnlimited(settings) ? {} : { limits: settings }),
      });
    },
    onSuccess: refresh,
    onError: (error) => form.setErrors(fieldErrors(error)),
    meta: { showsError: true },
  });
  const close = () => {
    onClose();
    form.reset();
    setLimits(NO_LIMITS);
    create.reset();
  };
  const key = create.data?.key;
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={key === undefined ? "Create an API key" : "Your new API key"}
      size={key === undefined ? "md" : "lg"}
      centered
      // A click beside the dialog must not take away the only sight of a key.
      closeOnClickOutside={key === undefined}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {key !== undefined && <NewKey secret={key} onDone={close} />}
      {key === undefined && (
        <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
          <Stack>
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
            {mayLimit && <LimitsPart draft={limits} onChange={setLimits} />}
            <ErrorNote error={create.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" disabled={isWrong} loading={create.isPending}>
                Create the key
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}

interface LimitsPartProps {
  readonly draft: LimitsDraft;
  readonly onChange: (draft: LimitsDraft) => void;
}

/** The limits of the key, which most keys have none of. */
function LimitsPart({ draft, onChange }: LimitsPartProps) {
  const quotas = useQuotas();
  return (
    <Accordion variant="contained" radius="md">
      <Accordion.Item value="limits">
        <Accordion.Control fz="sm" fw={500}>
          Limits
        </Accordion.Control>
        <Accordion.Panel>
          <Stack gap="sm">
            <LimitFields
              draft={draft}
              onChange={onChange}
              defaults={quotas.data === undefined ? {} : defaultsOf(quotas.data, { kind: "key", name: "new" })}
              models={quotas.data?.models ?? []}
            />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
