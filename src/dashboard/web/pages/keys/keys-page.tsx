import { Badge, Button, Code, Group, Switch, Text } from "@mantine/core";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { formatAgo, formatTime } from "../../parts/format.ts";
import { Page } from "../../shell/page.tsx";
import { mayAct, useProject } from "../../shell/session.ts";
import { CreateKey } from "./create-key.tsx";
import { RevokeKey } from "./revoke-key.tsx";
import { type ApiKey, useKeys } from "./use-keys.ts";

const STATE_COLORS = { active: "teal.9", expired: "gray.7", revoked: "gray.7" };

/** Makes API keys, and takes them back. */
export function KeysPage() {
  const mayChange = mayAct(useProject(), "member");
  const keys = useKeys();
  const [isCreating, setIsCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const [showsAll, setShowsAll] = useState(false);
  const usable = keys.data?.filter(({ state }) => state === "active");
  const rows = showsAll ? keys.data : usable;
  const hidden = (keys.data?.length ?? 0) - (usable?.length ?? 0);
  const create = mayChange && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsCreating(true)}>
      Create a key
    </Button>
  );
  return (
    <Page
      title="API keys"
      lead="Programs call Attune with a key. A key belongs to this project."
      actions={keys.data?.length === 0 ? undefined : create}
    >
      <ErrorNote error={keys.error} onRetry={() => void keys.refetch()} />
      <DataTable
        caption="API keys"
        columns={columns(mayChange, setRevoking)}
        rows={rows}
        keyOf={({ id }) => id}
        empty={
          <EmptyState
            Icon={IconKey}
            title="No key yet"
            text={
              mayChange
                ? "Create one: it comes with a first call in curl, Python and TypeScript that you can paste."
                : "Members of the project can create one; you look on."
            }
            action={create}
          />
        }
      />
      {hidden > 0 && (
        <Switch
          label={`Show ${hidden === 1 ? "the one that is" : `the ${hidden} that are`} expired or revoked`}
          checked={showsAll}
          onChange={({ currentTarget }) => setShowsAll(currentTarget.checked)}
        />
      )}
      <CreateKey isOpen={isCreating} onClose={() => setIsCreating(false)} />
      <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} />
    </Page>
  );
}

function columns(mayChange: boolean, revoke: (key: ApiKey) => void): Column<ApiKey>[] {
  const all: Column<ApiKey>[] = [
    {
      heading: "Name",
      cell: ({ name, state }) => (
        <Group gap="xs" wrap="nowrap">
          <Text fw={500} fz="sm">
            {name}
          </Text>
          {state !== "active" && (
            <Badge variant="filled" color={STATE_COLORS[state]} size="sm">
              {state}
            </Badge>
          )}
        </Group>
      ),
    },
    { heading: "Key", cell: ({ publicId }) => <Code>att_{publicId}_…</Code>, isMinor: true },
    { heading: "Last used", cell: ({ lastUsedAt }) => <Time time={lastUsedAt} otherwise="never" /> },
    { heading: "Expires", cell: ({ expiresAt }) => <Time time={expiresAt} otherwise="never" />, isMinor: true },
    { heading: "Created", cell: ({ createdAt }) => <Time time={createdAt} otherwise="" />, isMinor: true },
  ];
  if (!mayChange) return all;
  const actions: Column<ApiKey> = {
    heading: "Actions",
    isNumeric: true,
    cell: (key) =>
      key.state !== "active" ? null : (
        <Button variant="default" size="compact-sm" onClick={() => revoke(key)} aria-label={`Revoke ${key.name}`}>
          Revoke
        </Button>
      ),
  };
  return [...all, actions];
}

function Time({ time, otherwise }: { readonly time: string | null; readonly otherwise: string }) {
  return (
    <Text fz="sm" span title={time === null ? undefined : formatTime(time)} style={{ whiteSpace: "nowrap" }}>
      {time === null ? otherwise : formatAgo(time)}
    </Text>
  );
}
