import { Anchor, Badge, Group, Text } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Column, TableDescription } from "../../../web/parts/data-table.tsx";
import { EmptyState } from "../../../web/parts/empty-state.tsx";
import { formatAgo, formatNumber, formatShort, formatShortCost, formatTime, NONE } from "../../../web/parts/format.ts";
import { describeLimits } from "../../../web/parts/limits-draft.ts";
import { ManagedBadge } from "../../../web/parts/managed-badge.tsx";
import { Name } from "../../../web/parts/name.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { useProject } from "../../../web/shell/session.ts";
import { KeyActions, type KeyActs } from "./key-actions.tsx";
import type { ApiKey, KeyUsage } from "./types.ts";

const STATE_COLORS = { active: "teal.9", paused: "orange.9", expired: "gray.7", revoked: "gray.7" };

interface Context {
  /** Undefined while it is on its way. */
  readonly usage: { readonly days: number; readonly byId: ReadonlyMap<string, KeyUsage> } | undefined;
  /** Given to people who may change keys. */
  readonly acts: KeyActs | undefined;
  readonly isSearched: boolean;
  /** The button that creates a key; false for people who may not. */
  readonly create: ReactNode;
}

/** The table of API keys. */
export const KEYS: TableDescription<ApiKey, Context> = {
  caption: "API keys",
  rowKey: ({ id }) => id,
  empty: ({ isSearched, create }) => <NoKeys isSearched={isSearched} create={create} />,
  columns: [
    { heading: "Name", cell: (key) => <NameAndState apiKey={key} /> },
    { heading: "Last used", cell: ({ lastUsedAt }) => <Time time={lastUsedAt} otherwise="never" /> },
    {
      heading: withDays("Calls"),
      isNumeric: true,
      cell: (key, { usage }) => <Calls apiKey={key} calls={usage?.byId.get(key.publicId)?.calls} />,
    },
    usageColumn("Tokens", ({ tokens }) => formatShort(tokens)),
    usageColumn("Cost", ({ costNanos }) => formatShortCost(costNanos)),
    // Columns that most projects have nothing in would push the buttons out of sight.
    {
      heading: "Limits",
      isMinor: true,
      isShown: (_, keys) => keys.some(({ limits }) => describeLimits(limits) !== ""),
      cell: ({ limits }) => describeLimits(limits) || NONE,
    },
    {
      heading: "Tags",
      isMinor: true,
      isShown: (_, keys) => keys.some(({ tags }) => tagsText(tags) !== ""),
      cell: ({ tags }) => <Name>{tagsText(tags) || NONE}</Name>,
    },
    {
      heading: "Expires",
      isMinor: true,
      isShown: (_, keys) => keys.some(({ expiresAt }) => expiresAt !== null),
      cell: ({ expiresAt }) => <Time time={expiresAt} otherwise="never" />,
    },
    { heading: "Created", cell: ({ createdAt }) => <Time time={createdAt} otherwise="" />, isMinor: true },
    {
      heading: "Actions",
      isAction: true,
      isShown: ({ acts }) => acts !== undefined,
      cell: (key, { acts }) => acts && <KeyActions apiKey={key} {...acts} />,
    },
  ],
};

function withDays(what: string): (context: Context) => string {
  return ({ usage }) => (usage === undefined ? what : `${what}, ${usage.days} days`);
}

function usageColumn(what: string, write: (usage: KeyUsage) => string): Column<ApiKey, Context> {
  return {
    heading: withDays(what),
    isNumeric: true,
    isMinor: true,
    cell: ({ publicId }, { usage }) => {
      const used = usage?.byId.get(publicId);
      return used === undefined ? NONE : write(used);
    },
  };
}

function tagsText(tags: ApiKey["tags"]): string {
  return Object.entries(tags)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
}

function NameAndState({ apiKey: { name, state, publicId } }: { readonly apiKey: ApiKey }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <div>
        <Text fw={500} fz="sm">
          <Name>{name}</Name>
        </Text>
        <Text fz="xs" c="dimmed" ff="monospace">
          att_{publicId}_…
        </Text>
      </div>
      {state !== "active" && (
        <Badge variant="filled" color={STATE_COLORS[state]} size="sm">
          {state}
        </Badge>
      )}
      <ManagedBadge kind="key" name={publicId} />
    </Group>
  );
}

function Calls({ apiKey, calls }: { readonly apiKey: ApiKey; readonly calls: number | undefined }) {
  const { id } = useProject();
  if (calls === undefined) return NONE;
  return (
    <Anchor
      component={Link}
      to={`/projects/${id}/history?${new URLSearchParams({ key: apiKey.publicId })}`}
      fz="sm"
      aria-label={`${formatNumber(calls)} calls with ${nameText(apiKey.name)}: show them`}
    >
      {formatNumber(calls)}
    </Anchor>
  );
}

function Time({ time, otherwise }: { readonly time: string | null; readonly otherwise: string }) {
  return (
    <Text fz="sm" span title={time === null ? undefined : formatTime(time)} style={{ whiteSpace: "nowrap" }}>
      {time === null ? otherwise : formatAgo(time)}
    </Text>
  );
}

interface NoKeysProps {
  readonly isSearched: boolean;
  readonly create: ReactNode;
}

function NoKeys({ isSearched, create }: NoKeysProps) {
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
        create
          ? "Create one: it comes with a first call in curl, Python and TypeScript that you can paste."
          : "Owners, admins and developers of the project can create one."
      }
      action={create}
    />
  );
}
