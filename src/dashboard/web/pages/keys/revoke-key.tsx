import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { nameText } from "../../parts/name-text.ts";
import { useProject } from "../../shell/session.ts";
import { type ApiKey, useRefreshKeys } from "./use-keys.ts";

interface Props {
  /** The key that is to be revoked; nothing is asked without one. */
  readonly apiKey: ApiKey | undefined;
  readonly onClose: () => void;
}

/** Asks, and revokes. */
export function RevokeKey({ apiKey, onClose }: Props) {
  const { id: projectId } = useProject();
  const refresh = useRefreshKeys();
  const revoke = useMutation({
    mutationFn: (keyId: string) => api.keys.revoke.mutate({ projectId, keyId }),
    onSuccess: async ({ name }) => {
      onClose();
      notifications.show({
        color: "teal",
        message: `${nameText(name)} is revoked: calls with it are refused within a second`,
      });
      await refresh();
    },
  });
  return (
    <Confirm
      isOpen={apiKey !== undefined}
      title={`Revoke ${nameText(apiKey?.name ?? "")}?`}
      action="Revoke the key"
      isPending={revoke.isPending}
      onConfirm={() => apiKey !== undefined && revoke.mutate(apiKey.id)}
      onClose={onClose}
    >
      Calls with it are refused within a second. This cannot be undone. Calls in progress continue.
    </Confirm>
  );
}
