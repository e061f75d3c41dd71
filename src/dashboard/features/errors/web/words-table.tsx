import { Badge, Box, Group, Text } from "@mantine/core";
import type { Range } from "../../../web/figures/range.ts";
import { CallsLink } from "../../../web/parts/calls-link.tsx";
import { Clamped } from "../../../web/parts/clamped.tsx";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { formatAgo, formatNumber, formatTime } from "../../../web/parts/format.ts";
import { nameText } from "../../../web/parts/name-text.ts";
import { reasonText } from "../../../web/parts/reason-text.ts";
import { RequestLink } from "../../../web/parts/request-link.tsx";
import type { Errors } from "./types.ts";

type Words = Errors["words"][number];

interface Props {
  readonly words: readonly Words[] | undefined;
  readonly range: Range;
}

/** The messages of upstreams, the most frequent first. */
export function WordsTable({ words, range }: Props) {
  return <DataTable table={TABLE} rows={words} context={{ range }} />;
}

function Message({ words: { reason, upstream, upstreamStatus, upstreamCode, message } }: { readonly words: Words }) {
  const where = [upstream, upstreamStatus ?? "", upstreamCode].filter((part) => part !== "").join(" · ");
  return (
    <Box miw={240}>
      <Group gap={6} mb={2}>
        <Badge variant="light" color="red" size="sm" tt="none" fw={500} c="var(--attune-bad)">
          {reasonText(reason)}
        </Badge>
        <Text fz="xs" c="dimmed">
          {nameText(where)}
        </Text>
      </Group>
      {message === "" ? (
        <Text fz="sm" c="dimmed">
          no message
        </Text>
      ) : (
        <Clamped text={message} />
      )}
    </Box>
  );
}

function Ago({ ms }: { readonly ms: number }) {
  const time = new Date(ms);
  return (
    <span title={formatTime(time)} style={{ whiteSpace: "nowrap" }}>
      {formatAgo(time)}
    </span>
  );
}

const TABLE: TableDescription<Words, { readonly range: Range }> = {
  caption: "Upstream messages",
  rowKey: ({ latestId }) => latestId,
  // What follows is on the second screen then.
  pageSize: 10,
  empty: (
    <Text p="md" c="dimmed">
      No failed calls.
    </Text>
  ),
  columns: [
    { heading: "Message", cell: (row) => <Message words={row} /> },
    {
      heading: "Calls",
      isNumeric: true,
      sortBy: ({ calls }) => calls,
      cell: ({ calls, reason, upstream }, { range }) => (
        <CallsLink
          calls={calls}
          range={range}
          filter={{ status: "failed", reason, ...(upstream === "" ? {} : { upstream }) }}
          what={`that failed: ${reasonText(reason)}`}
        />
      ),
    },
    {
      heading: "Sessions",
      isNumeric: true,
      isMinor: true,
      sortBy: ({ sessions }) => sessions,
      cell: (row) => formatNumber(row.sessions),
    },
    {
      heading: "Users",
      isNumeric: true,
      isMinor: true,
      sortBy: ({ users }) => users,
      cell: (row) => formatNumber(row.users),
    },
    { heading: "First seen", isMinor: true, sortBy: ({ firstMs }) => firstMs, cell: (row) => <Ago ms={row.firstMs} /> },
    {
      heading: "Last seen",
      sortBy: ({ lastMs }) => lastMs,
      cell: ({ lastMs, latestId }) => (
        <RequestLink id={latestId}>
          <Ago ms={lastMs} />
        </RequestLink>
      ),
    },
  ],
};
