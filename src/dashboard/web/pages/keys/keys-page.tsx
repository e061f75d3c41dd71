import { Button } from "@mantine/core";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { DataTable } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { type EditedLimits, LimitsDialog } from "../../parts/limits-dialog.tsx";
import { nameText } from "../../parts/name-text.ts";
import { Pager } from "../../parts/pager.tsx";
import { Page } from "../../shell/page.tsx";
import { mayAct, useProject } from "../../shell/session.ts";
import { CreateKey } from "./create-key.tsx";
import { EditKey } from "./edit-key.tsx";
import { keyColumns } from "./key-columns.tsx";
import { KeyListBar } from "./key-list-bar.tsx";
import { RevokeKey } from "./revoke-key.tsx";
import { RotateKey } from "./rotate-key.tsx";
import { type ApiKey, type KeyQuery, useKeys, useKeyUsage } from "./use-keys.ts";

const PAGE_SIZE = 50;

/** Makes API keys, and takes them back. */
export function KeysPage() {
  const project = useProject();
  const mayChange = mayAct(project, "keys.change");
  const [query, setQuery] = useState<KeyQuery>({ limit: PAGE_SIZE, offset: 0 });
  const keys = useKeys(query);
  const rows = keys.data?.keys;
  const usage = useKeyUsage(rows?.map(({ publicId }) => publicId) ?? []);
  const [isCreating, setIsCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const [rotating, setRotating] = useState<ApiKey>();
  const [limiting, setLimiting] = useState<EditedLimits>();
  const [editing, setEditing] = useState<ApiKey>();
  const isSearched = (query.text ?? "") !== "";
  const hasNone = keys.data?.total === 0 && keys.data.ended === 0 && !isSearched;
  const create = mayChange && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsCreating(true)}>
      Create a key
    </Button>
  );
  return (
    <Page
      title="API keys"
      lead="Programs call Attune with a key. A key belongs to this project."
      actions={hasNone ? undefined : create}
    >
      <ErrorNote error={keys.error} onRetry={() => void keys.refetch()} />
      <ErrorNote error={usage.error} onRetry={() => void usage.refetch()} />
      {!hasNone && (
        <KeyListBar
          query={query}
          ended={keys.data?.ended ?? 0}
          onChange={(changes) => setQuery((old) => ({ ...old, offset: 0, ...changes }))}
        />
      )}
      <DataTable
        caption="API keys"
        columns={keyColumns({
          keys: keys.data?.keys ?? [],
          usage: usage.data,
          acts: mayChange
            ? {
                onLimit: mayAct(project, "limits.change") ? (key) => setLimiting(limitsOf(key)) : undefined,
                onEdit: setEditing,
                onRotate: setRotating,
                onRevoke: setRevoking,
                mayChangeAny: mayAct(project, "keys.change-any"),
              }
            : undefined,
        })}
        rows={rows}
        keyOf={({ id }) => id}
        empty={<NoKeys isSearched={isSearched} mayCreate={mayChange} create={create} />}
      />
      <Pager
        total={keys.data?.total ?? 0}
        pageSize={PAGE_SIZE}
        offset={query.offset ?? 0}
        onChange={(offset) => setQuery((old) => ({ ...old, offset }))}
      />
      <CreateKey isOpen={isCreating} onClose={() => setIsCreating(false)} />
      <LimitsDialog edited={limiting} onClose={() => setLimiting(undefined)} />
      <EditKey apiKey={editing} onClose={() => setEditing(undefined)} />
      <RotateKey apiKey={rotating} onClose={() => setRotating(undefined)} />
      <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} />
    </Page>
  );
}

interface NoKeysProps {
  readonly isSearched: boolean;
  readonly mayCreate: boolean;
  readonly create: ReactNode;
}

function NoKeys({ isSearched, mayCreate, create }: NoKeysProps) {
  if (isSearched) {
    return (
      <EmptyState
        Icon={IconKey}
        title="No matching keys"
        text="Search for a part of the name, of the id or of a tag."
      />
    );
  }
  return (
    <EmptyState
      Icon={IconKey}
      title="No keys yet"
      text={
        mayCreate
          ? "Create one: it comes with a first call in curl, Python and TypeScript that you can paste."
          : "Owners, admins and developers of the project can create one."
      }
      action={create}
    />
  );
}

function limitsOf({ name, publicId, limits }: ApiKey): EditedLimits {
  return { title: `Limits of ${nameText(name)}`, owner: { kind: "key", name: publicId }, settings: limits };
}
