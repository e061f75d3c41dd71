import { Anchor, Badge, Group, Text } from "@mantine/core";
import { Link } from "react-router";
import type { Column } from "../../parts/data-table.tsx";
import { formatAgo, formatNumber, formatShort, formatShortCost, formatTime, NONE } from "../../parts/format.ts";
import { describeLimits } from "../../parts/limits-draft.ts";
import { ManagedBadge } from "../../parts/managed-badge.tsx";
import { Name } from "../../parts/name.tsx";
import { nameText } from "../../parts/name-text.ts";
import { useProject } from "../../shell/session.ts";
import { KeyActions, type KeyActs } from "./key-actions.tsx";
import type { ApiKey, KeyUsage } from "./use-keys.ts";

const STATE_COLORS = { active: "teal.9", expired: "gray.7", revoked: "gray.7" };

interface Options {
  readonly keys: readonly ApiKey[];
  /** Undefined while it is on its way. */
  readonly usage: { readonly days: number; readonly byId: ReadonlyMap<string, KeyUsage> } | undefined;
  /** Given to people who may change keys. */
  readonly acts: KeyActs | undefined;
}

/** Returns the columns of the table of keys. */
export function keyColumns({ keys, usage, acts }: Options): Column<ApiKey>[] {
  const all: Column<ApiKey>[] = [
    { heading: "Name", cell: (key) => <NameAndState apiKey={key} /> },
    { heading: "Last used", cell: ({ lastUsedAt }) => <Time time={lastUsedAt} otherwise="never" /> },
    ...usageColumns(usage),
    // Columns that most projects have nothing in would push the buttons out of sight.
    ...(keys.some(({ limits }) => describeLimits(limits) !== "")
      ? [{ heading: "Limits", cell: ({ limits }: ApiKey) => describeLimits(limits) || NONE, isMinor: true }]
      : []),
    ...(keys.some(({ tags }) => tagsText(tags) !== "")
      ? [{ heading: "Tags", cell: ({ tags }: ApiKey) => <Name>{tagsText(tags) || NONE}</Name>, isMinor: true }]
      : []),
    ...(keys.some(({ expiresAt }) => expiresAt !== null)
      ? [
          {
            heading: "Expires",
            cell: ({ expiresAt }: ApiKey) => <Time time={expiresAt} otherwise="never" />,
            isMinor: true,
          },
        ]
      : []),
    { heading: "Created", cell: ({ createdAt }) => <Time time={createdAt} otherwise="" />, isMinor: true },
  ];
  if (acts === undefined) return all;
  return [...all, { heading: "Actions", isAction: true, cell: (key) => <KeyActions apiKey={key} {...acts} /> }];
}

function tagsText(tags: ApiKey["tags"]): string {
  return Object.entries(tags)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
}

function usageColumns(usage: Options["usage"]): Column<ApiKey>[] {
  const time = usage === undefined ? "" : `, ${usage.days} days`;
  const show = (key: ApiKey, write: (of: KeyUsage) => string) => {
    const used = usage?.byId.get(key.publicId);
    return used === undefined ? NONE : write(used);
  };
  return [
    {
      heading: `Calls${time}`,
      isNumeric: true,
      cell: (key) => <Calls apiKey={key} calls={usage?.byId.get(key.publicId)?.calls} />,
    },
    {
      heading: `Tokens${time}`,
      isNumeric: true,
      isMinor: true,
      cell: (key) => show(key, ({ tokens }) => formatShort(tokens)),
    },
    {
      heading: `Cost${time}`,
      isNumeric: true,
      isMinor: true,
      cell: (key) => show(key, ({ costNanos }) => formatShortCost(costNanos)),
    },
  ];
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
