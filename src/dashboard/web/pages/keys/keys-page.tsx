import { Button, Switch } from "@mantine/core";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { DataTable } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { type EditedLimits, LimitsDialog } from "../../parts/limits-dialog.tsx";
import { nameText } from "../../parts/name-text.ts";
import { Page } from "../../shell/page.tsx";
import { mayAct, useProject } from "../../shell/session.ts";
import { CreateKey } from "./create-key.tsx";
import { keyColumns } from "./key-columns.tsx";
import { RevokeKey } from "./revoke-key.tsx";
import { type ApiKey, useKeys, useKeyUsage } from "./use-keys.ts";

/** Makes API keys, and takes them back. */
export function KeysPage() {
  const project = useProject();
  const mayChange = mayAct(project, "member");
  const keys = useKeys();
  const usage = useKeyUsage();
  const [isCreating, setIsCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const [limiting, setLimiting] = useState<EditedLimits>();
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
      <ErrorNote error={usage.error} onRetry={() => void usage.refetch()} />
      <DataTable
        caption="API keys"
        columns={keyColumns({
          usage: usage.data,
          onLimit: mayAct(project, "owner") ? (key) => setLimiting(limitsOf(key)) : undefined,
          onRevoke: mayChange ? setRevoking : undefined,
        })}
        rows={rows}
        keyOf={({ id }) => id}
        empty={
          <EmptyState
            Icon={IconKey}
            title="No keys yet"
            text={
              mayChange
                ? "Create one: it comes with a first call in curl, Python and TypeScript that you can paste."
                : "Members of the project can create one. You are a viewer."
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
      <LimitsDialog edited={limiting} onClose={() => setLimiting(undefined)} />
      <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} />
    </Page>
  );
}

function limitsOf({ name, publicId, limits }: ApiKey): EditedLimits {
  return { title: `Limits of ${nameText(name)}`, owner: { kind: "key", name: publicId }, settings: limits };
}
