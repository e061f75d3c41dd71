import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { trpc } from "../../../web/api/trpc.ts";
import { Confirm } from "../../../web/parts/confirm.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { useProject } from "../../../web/shell/session.ts";
import type { ApiKey } from "./types.ts";

interface Props {
  /** The key that is to be revoked; nothing is asked without one. */
  readonly apiKey: ApiKey | undefined;
  readonly onClose: () => void;
}

/** Asks, and revokes. */
export function RevokeKey({ apiKey, onClose }: Props) {
  const { id: projectId } = useProject();
  const revoke = useMutation(
    trpc.keys.revoke.mutationOptions({
      onSuccess: () => {
        onClose();
        notifications.show({
          color: "teal",
          message: `${nameText(apiKey?.name ?? "")} is revoked: calls with it are refused within a second`,
        });
      },
    }),
  );
  return (
    <Confirm
      isOpen={apiKey !== undefined}
      title={`Revoke ${nameText(apiKey?.name ?? "")}?`}
      action="Revoke the key"
      isPending={revoke.isPending}
      onConfirm={() => apiKey !== undefined && revoke.mutate({ projectId, publicId: apiKey.publicId })}
      onClose={onClose}
    >
      Calls with it are refused within a second. This cannot be undone. Calls in progress continue.
    </Confirm>
  );
}
