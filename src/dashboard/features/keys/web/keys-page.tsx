import { Button, Group, Select, Switch, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconPlus, IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { trpc } from "../../../web/api/trpc.ts";
import { DataTable, PHONE_PAGE_SIZE } from "../../../web/parts/data-table.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { type EditedLimits, LimitsDialog } from "../../../web/parts/limits-dialog.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { Pager } from "../../../web/parts/pager.tsx";
import { useIsPhone } from "../../../web/parts/use-is-phone.ts";
import { useNewDialog } from "../../../web/parts/use-new-dialog.ts";
import { Page } from "../../../web/shell/page.tsx";
import { mayAct, useProject } from "../../../web/shell/session.ts";
import { CreateKey } from "./create-key.tsx";
import { EditKey } from "./edit-key.tsx";
import { KEYS } from "./key-table.tsx";
import { RevokeKey } from "./revoke-key.tsx";
import { RotateKey } from "./rotate-key.tsx";
import type { ApiKey, KeyQuery } from "./types.ts";
import { usePauseKey } from "./use-pause-key.ts";

const ORDERS = [
  { value: "created", label: "Newest first" },
  { value: "name", label: "By name" },
  { value: "lastUsed", label: "Last used first" },
] as const;

const TYPING_MS = 250;

const PAGE_SIZE = 50;
const REFRESH_MS = 30_000;

/** Makes API keys, and takes them back. */
export function KeysPage() {
  const project = useProject();
  const mayChange = mayAct(project, "keys.change");
  const pageSize = useIsPhone() ? PHONE_PAGE_SIZE : PAGE_SIZE;
  const [asked, setQuery] = useKeyQuery();
  // A screen that was turned has pages of another size.
  const offset = (asked.offset ?? 0) - ((asked.offset ?? 0) % pageSize);
  const query = { ...asked, limit: pageSize, offset };
  const keys = useQuery(
    trpc.keys.list.queryOptions(
      { projectId: project.id, ...query },
      { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
    ),
  );
  const rows = keys.data?.keys;
  const usage = useUsage(rows?.map(({ publicId }) => publicId) ?? []);
  const creating = useNewDialog();
  const pause = usePauseKey();
  const [revoking, setRevoking] = useState<ApiKey>();
  const [rotating, setRotating] = useState<ApiKey>();
  const [limiting, setLimiting] = useState<EditedLimits>();
  const [editing, setEditing] = useState<ApiKey>();
  const isSearched = (query.text ?? "") !== "";
  const hasNone = keys.data?.total === 0 && keys.data.ended === 0 && !isSearched;
  const create = mayChange && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => creating.set(true)}>
      Create a key
    </Button>
  );
  return (
    <Page
      title="API keys"
      lead="Keys that programs use to call Attune in this project."
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
        table={KEYS}
        rows={rows}
        context={{
          usage: usage.data,
          isSearched,
          create,
          acts: mayChange
            ? {
                onLimit: mayAct(project, "limits.change") ? (key) => setLimiting(toEditedLimits(key)) : undefined,
                onEdit: setEditing,
                onRotate: setRotating,
                onPause: pause,
                onRevoke: setRevoking,
                mayChangeAny: mayAct(project, "keys.change-any"),
              }
            : undefined,
        }}
      />
      <Pager
        total={keys.data?.total ?? 0}
        pageSize={pageSize}
        offset={offset}
        onChange={(next) => setQuery((old) => ({ ...old, offset: next }))}
      />
      <CreateKey isOpen={mayChange && creating.isOpen} onClose={() => creating.set(false)} />
      <LimitsDialog edited={limiting} onClose={() => setLimiting(undefined)} />
      <EditKey apiKey={editing} onClose={() => setEditing(undefined)} />
      <RotateKey apiKey={rotating} onClose={() => setRotating(undefined)} />
      <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} />
    </Page>
  );
}

/** Reads what keys were used for, by their public ids. */
function useUsage(publicIds: string[]) {
  const { id: projectId } = useProject();
  return useQuery(
    trpc.keys.usage.queryOptions(
      { projectId, publicIds },
      {
        enabled: publicIds.length > 0,
        select: ({ days, keys }) => ({ days, byId: new Map(keys.map((used) => [used.publicId, used])) }),
        placeholderData: keepPreviousData,
        refetchInterval: REFRESH_MS,
      },
    ),
  );
}

/** Other pages lead to one key by its public id, also after it has ended. */
function useKeyQuery() {
  const [address] = useSearchParams();
  const text = address.get("search") ?? undefined;
  return useState<KeyQuery>({ limit: PAGE_SIZE, offset: 0, text, withEnded: text === undefined ? undefined : true });
}

function toEditedLimits({ name, publicId, limits }: ApiKey): EditedLimits {
  return { title: `Limits of ${nameText(name)}`, owner: { kind: "key", name: publicId }, settings: limits };
}

interface Props {
  readonly query: KeyQuery;
  /** Keys that expired or were revoked. */
  readonly ended: number;
  readonly onChange: (changes: Partial<KeyQuery>) => void;
}

/** Chooses which keys are listed, and in which order. */
function KeyListBar({ query, ended, onChange }: Props) {
  const [text, setText] = useState(query.text ?? "");
  const search = useDebouncedCallback((typed: string) => onChange({ text: typed.trim() }), TYPING_MS);
  return (
    <Group gap="sm">
      <TextInput
        aria-label="Search keys"
        placeholder="Name, id or tag"
        leftSection={<IconSearch size={16} aria-hidden />}
        maxLength={100}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          search(currentTarget.value);
        }}
        w={{ base: "100%", sm: 260 }}
      />
      <Select
        aria-label="Order"
        data={[...ORDERS]}
        value={query.order ?? "created"}
        onChange={(value) => onChange({ order: ORDERS.find((order) => order.value === value)?.value ?? "created" })}
        allowDeselect={false}
        w={170}
      />
      {ended > 0 && (
        <Switch
          label={`Show ${ended === 1 ? "the one that is" : `the ${ended.toLocaleString("en-US")} that are`} expired or revoked`}
          checked={query.withEnded ?? false}
          onChange={({ currentTarget }) => onChange({ withEnded: currentTarget.checked })}
        />
      )}
    </Group>
  );
}
