import { Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { fieldErrors } from "../../api/errors.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { DialogFooter, DialogForm } from "../../parts/dialog-form.tsx";
import { useProject } from "../../shell/session.ts";
import { type Destination, useRefreshAlerts } from "./use-alerts.ts";

type Kind = Destination["kind"];

/** The kinds of destinations for people. */
export const KIND_LABELS: Readonly<Record<Kind, string>> = { webhook: "Webhook", slack: "Slack", email: "Mail" };

const TARGETS: Readonly<Record<Kind, { readonly label: string; readonly placeholder: string }>> = {
  webhook: { label: "Address", placeholder: "https://ops.example.com/attune" },
  slack: { label: "Address of the incoming webhook", placeholder: "https://hooks.slack.com/services/..." },
  email: { label: "Address of mail", placeholder: "ops@example.com" },
};

const NEW: { readonly name: string; readonly kind: Kind; readonly target: string } = {
  name: "",
  kind: "webhook",
  target: "",
};

interface Props {
  readonly isOpen: boolean;
  readonly hasMail: boolean;
  readonly onClose: () => void;
}

/** Asks for a destination; then shows the secret of a webhook. */
export function AddDestination({ isOpen, hasMail, onClose }: Props) {
  const { id: projectId } = useProject();
  const refresh = useRefreshAlerts();
  const [draft, setDraft] = useState(NEW);
  const add = useMutation({
    mutationFn: () => api.alerts.addDestination.mutate({ projectId, destination: draft }),
    onSuccess: async ({ secret }) => {
      await refresh();
      if (secret === null) close();
    },
    meta: { showsError: true },
  });
  const close = () => {
    onClose();
    setDraft(NEW);
    add.reset();
  };
  const errors: Readonly<Record<string, unknown>> = fieldErrors(add.error);
  const problem = (name: string) => {
    const found = errors[`destination.${name}`];
    return typeof found === "string" ? found : undefined;
  };
  const kinds = (Object.keys(KIND_LABELS) as Kind[])
    .filter((kind) => kind !== "email" || hasMail)
    .map((value) => ({ value, label: KIND_LABELS[value] }));
  const secret = add.data?.secret ?? undefined;
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={secret === undefined ? "Add a destination" : "Its secret"}
      // A click beside the dialog must not take away the only sight of a secret.
      closeOnClickOutside={secret === undefined}
    >
      {secret !== undefined && <Secret secret={secret} onDone={close} />}
      {secret === undefined && (
        <DialogForm
          action="Add"
          onSubmit={() => add.mutate()}
          onCancel={close}
          isPending={add.isPending}
          error={add.error}
        >
          <TextInput
            label="Name"
            placeholder="ops"
            required
            data-autofocus
            value={draft.name}
            error={problem("name")}
            onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
          />
          <Select
            label="Kind"
            data={kinds}
            allowDeselect={false}
            value={draft.kind}
            onChange={(kind) => setDraft({ ...draft, kind: (kind ?? "webhook") as Kind })}
          />
          <TextInput
            {...TARGETS[draft.kind]}
            required
            value={draft.target}
            error={problem("target")}
            onChange={({ currentTarget }) => setDraft({ ...draft, target: currentTarget.value })}
          />
        </DialogForm>
      )}
    </Modal>
  );
}

function Secret({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }) {
  return (
    <Stack>
      <Text fz="sm">
        Copy it now: it is not shown again. Your service checks by it that a message is from here, as Standard Webhooks
        has it.
      </Text>
      <pre className="attune-code attune-secret" data-testid="secret">
        {secret}
      </pre>
      <DialogFooter
        cancel="I have copied it"
        onCancel={onDone}
        aside={<CopyButton text={secret} what="the secret" isLarge />}
      />
    </Stack>
  );
}
