import { Select, Text } from "@mantine/core";
import { trpc } from "../../../web/api/trpc.ts";
import { DialogForm } from "../../../web/parts/dialog-form.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { SecretDialog } from "../../../web/parts/secret-dialog.tsx";
import { useOperationForm } from "../../../web/parts/use-operation-form.ts";
import { useProject } from "../../../web/shell/session.ts";
import { NewKey } from "./new-key.tsx";
import type { ApiKey } from "./types.ts";

/** Hours that the old secret keeps working. */
const OVERLAPS = [
  { value: "0", label: "Not at all" },
  { value: "1", label: "For an hour" },
  { value: "24", label: "For a day" },
  { value: "168", label: "For a week" },
  { value: "720", label: "For 30 days" },
];

interface Props {
  /** The key that gets a new secret; nothing is asked without one. */
  readonly apiKey: ApiKey | undefined;
  readonly onClose: () => void;
}

/** Asks how long the old secret keeps working, then shows the new one. */
export function RotateKey({ apiKey, onClose }: Props) {
  const name = nameText(apiKey?.name ?? "");
  return (
    <SecretDialog
      isOpen={apiKey !== undefined}
      title={`Rotate ${name}`}
      secretTitle={`The new secret of ${name}`}
      onClose={onClose}
      form={(onRotated, onCancel) =>
        apiKey && <RotateForm publicId={apiKey.publicId} onRotated={onRotated} onCancel={onCancel} />
      }
      shown={(secret, onDone) => <NewKey secret={secret} onDone={onDone} />}
    />
  );
}

interface FormProps {
  readonly publicId: string;
  readonly onRotated: (secret: string) => void;
  readonly onCancel: () => void;
}

function RotateForm({ publicId, onRotated, onCancel }: FormProps) {
  const { id: projectId } = useProject();
  const { form, state } = useOperationForm({
    initialValues: { overlapHours: "24" },
    operation: trpc.keys.rotate.mutationOptions({ onSuccess: ({ key }) => onRotated(key) }),
    toInput: ({ overlapHours }) => ({ projectId, publicId, overlapHours: Number(overlapHours) }),
  });
  return (
    <DialogForm action="Rotate the key" onCancel={onCancel} {...state}>
      <Text fz="sm">The key gets a new secret. Its id, limits and figures stay.</Text>
      <Select
        label="The old secret keeps working"
        data={OVERLAPS}
        allowDeselect={false}
        {...form.getInputProps("overlapHours")}
      />
    </DialogForm>
  );
}
