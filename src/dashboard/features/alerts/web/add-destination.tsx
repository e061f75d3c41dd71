import { Select, Stack, Text, TextInput } from "@mantine/core";
import { trpc } from "../../../web/api/trpc.ts";
import { CopyButton } from "../../../web/parts/copy-button.tsx";
import { DialogFooter, DialogForm } from "../../../web/parts/dialog-form.tsx";
import { SecretDialog } from "../../../web/parts/secret-dialog.tsx";
import { useOperationForm } from "../../../web/parts/use-operation-form.ts";
import { useProject } from "../../../web/shell/session.ts";
import type { Destination } from "./types.ts";

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
  return (
    <SecretDialog
      isOpen={isOpen}
      title="Add a destination"
      secretTitle="Its secret"
      onClose={onClose}
      form={(onSecret, onCancel) => (
        <AddForm
          hasMail={hasMail}
          onAdded={(secret) => (secret === null ? onCancel() : onSecret(secret))}
          onCancel={onCancel}
        />
      )}
      shown={(secret, onDone) => <Secret secret={secret} onDone={onDone} />}
    />
  );
}

interface FormProps extends Pick<Props, "hasMail"> {
  /** Told the secret, where the kind has one. */
  readonly onAdded: (secret: string | null) => void;
  readonly onCancel: () => void;
}

function AddForm({ hasMail, onAdded, onCancel }: FormProps) {
  const { id: projectId } = useProject();
  const { form, state } = useOperationForm({
    initialValues: { destination: NEW },
    operation: trpc.alerts.addDestination.mutationOptions({ onSuccess: ({ secret }) => onAdded(secret) }),
    toInput: ({ destination }) => ({ projectId, destination }),
  });
  const kinds = (Object.keys(KIND_LABELS) as Kind[])
    .filter((kind) => kind !== "email" || hasMail)
    .map((value) => ({ value, label: KIND_LABELS[value] }));
  return (
    <DialogForm action="Add" onCancel={onCancel} {...state}>
      <TextInput label="Name" placeholder="ops" required data-autofocus {...form.getInputProps("destination.name")} />
      <Select label="Kind" data={kinds} allowDeselect={false} {...form.getInputProps("destination.kind")} />
      <TextInput {...TARGETS[form.values.destination.kind]} required {...form.getInputProps("destination.target")} />
    </DialogForm>
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
