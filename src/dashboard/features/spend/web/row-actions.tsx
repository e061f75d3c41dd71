import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { trpc } from "../../../web/api/trpc.ts";
import type { EditedLimits } from "../../../web/parts/limits-dialog.tsx";
import { useProject } from "../../../web/shell/session.ts";
import type { ApiKey } from "../../keys/web/types.ts";
import type { Dimension } from "./dimensions.ts";

/** Owners of limits, by the dimension of a ranking; the others have none of their own. */
const OWNERS: Partial<Record<Dimension["value"], EditedLimits["owner"]["kind"]>> = {
  key: "key",
  end_user: "endUser",
  tag: "tag",
};

/** The actions on a spender that the role allows. */
export interface SpendActs {
  readonly onLimit: ((limits: EditedLimits) => void) | undefined;
  readonly onPause: ((key: ApiKey) => void) | undefined;
  readonly onRevoke: ((key: ApiKey) => void) | undefined;
}

/** Tells whether rows of a ranking have any button. */
export function hasActs({ value }: Dimension, { onLimit, onRevoke }: SpendActs): boolean {
  return (onLimit !== undefined && value in OWNERS) || (onRevoke !== undefined && value === "key");
}

interface Props extends SpendActs {
  readonly dimension: Dimension;
  readonly value: string;
  /** The name that people know. */
  readonly name: string;
}

/** The buttons of a spender: to limit it, and to pause or revoke a key. */
export function RowActions({ dimension, value, name, onLimit, onPause, onRevoke }: Props) {
  const { id: projectId } = useProject();
  const queries = useQueryClient();
  const kind = OWNERS[dimension.value];
  if (value === "") return null;
  const act = async (onKey: SpendActs["onRevoke"], done: readonly ApiKey["state"][]) => {
    const { keys } = await queries.fetchQuery(
      trpc.keys.list.queryOptions({ projectId, text: value, withEnded: true, limit: 10 }),
    );
    const key = keys.find(({ publicId }) => publicId === value);
    if (key === undefined || done.includes(key.state)) {
      notifications.show({ message: `${name} is already ${key?.state ?? "revoked"}` });
    } else onKey?.(key);
  };
  const limit = async (owner: EditedLimits["owner"]) => {
    const settings = await queries.fetchQuery(trpc.quotas.read.queryOptions({ projectId, owner }));
    onLimit?.({ title: `Limits of ${name}`, owner, settings });
  };
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      {onLimit && kind !== undefined && (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => void limit({ kind, name: value })}
          aria-label={`Limit ${name}`}
        >
          Limit
        </Button>
      )}
      {onPause && kind === "key" && (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => void act(onPause, ["paused", "expired", "revoked"])}
          aria-label={`Pause ${name}`}
        >
          Pause
        </Button>
      )}
      {onRevoke && kind === "key" && (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => void act(onRevoke, ["revoked"])}
          aria-label={`Revoke ${name}`}
        >
          Revoke
        </Button>
      )}
    </Group>
  );
}
