import { Skeleton } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { trpc } from "../../../web/api/trpc.ts";
import { Confirm } from "../../../web/parts/confirm.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatNumber } from "../../../web/parts/format.ts";
import { nameText } from "../../../web/parts/name-text.ts";
import { useProject } from "../../../web/shell/session.ts";

interface Props {
  /** The end user whose data is to be deleted; nothing is asked without one. */
  readonly endUserId: string | undefined;
  readonly onClose: () => void;
}

/** Counts what would be deleted, asks, and deletes it. */
export function DeleteEndUser({ endUserId, onClose }: Props) {
  const { id: projectId } = useProject();
  const count = useQuery(
    trpc.endUsers.count.queryOptions(
      { projectId, endUserId: endUserId ?? "" },
      { enabled: endUserId !== undefined, staleTime: 0, gcTime: 0 },
    ),
  );
  const deletion = useMutation(trpc.endUsers.delete.mutationOptions({ onSuccess: onClose }));
  return (
    <Confirm
      isOpen={endUserId !== undefined}
      title={`Delete the data of ${nameText(endUserId ?? "")}?`}
      action="Delete the data"
      isPending={deletion.isPending || count.isPending}
      onConfirm={() => endUserId !== undefined && deletion.mutate({ projectId, endUserId })}
      onClose={onClose}
    >
      <ErrorNote error={count.error} onRetry={() => void count.refetch()} />
      {count.isPending && <Skeleton h={20} mb="xs" />}
      {count.data !== undefined && <strong>{countText(count.data)}</strong>} Their figures and conversations go too.
      Limits stay. The deletion runs in the background and can't be undone.
    </Confirm>
  );
}

function countText({ inferences, feedback }: { readonly inferences: number; readonly feedback: number }): string {
  if (inferences === 0) return "No stored requests.";
  const requests = inferences === 1 ? "1 request" : `${formatNumber(inferences)} requests`;
  const entries = feedback === 1 ? "1 feedback entry" : `${formatNumber(feedback)} feedback entries`;
  return `${requests} with their answers, and ${entries}.`;
}
