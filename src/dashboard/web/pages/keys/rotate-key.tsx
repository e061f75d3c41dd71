import { Modal, Select, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { nameText } from "../../parts/name-text.ts";
import { useProject } from "../../shell/session.ts";
import { NewKey } from "./new-key.tsx";
import { type ApiKey, useRefreshKeys } from "./use-keys.ts";

/** Hours for which the former secret works on. */
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

/** Asks how long the former secret works on, then shows the new one. */
export function RotateKey({ apiKey, onClose }: Props) {
  const { id: projectId } = useProject();
  const refresh = useRefreshKeys();
  const [overlap, setOverlap] = useState("24");
  const rotate = useMutation({
    mutationFn: (keyId: string) => api.keys.rotate.mutate({ projectId, keyId, overlapHours: Number(overlap) }),
    onSuccess: refresh,
    meta: { showsError: true },
  });
  const close = () => {
    onClose();
    rotate.reset();
  };
  const secret = rotate.data?.key;
  return (
    <Modal
      opened={apiKey !== undefined}
      onClose={close}
      title={`${secret === undefined ? "Rotate" : "The new secret of"} ${nameText(apiKey?.name ?? "")}`}
      size={secret === undefined ? "md" : "lg"}
      // A click beside the dialog must not take away the only sight of a key.
      closeOnClickOutside={secret === undefined}
    >
      {secret !== undefined && <NewKey secret={secret} onDone={close} />}
      {secret === undefined && (
        <DialogForm
          action="Rotate the key"
          onSubmit={() => apiKey !== undefined && rotate.mutate(apiKey.id)}
          onCancel={close}
          isPending={rotate.isPending}
          error={rotate.error}
        >
          <Text fz="sm">The key gets a new secret. Its id, limits and figures stay.</Text>
          <Select
            label="The former secret works on"
            data={OVERLAPS}
            value={overlap}
            onChange={(value) => setOverlap(value ?? "24")}
            allowDeselect={false}
          />
        </DialogForm>
      )}
    </Modal>
  );
}
