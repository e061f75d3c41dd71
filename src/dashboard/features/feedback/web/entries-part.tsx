import { Box, Select, Stack, Tabs, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Clamped } from "../../../web/parts/clamped.tsx";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatAgo, formatTime } from "../../../web/parts/format.ts";
import { MoreButton } from "../../../web/parts/more-button.tsx";
import { Name } from "../../../web/parts/name.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { RequestLink } from "../../../web/parts/request-link.tsx";
import { useProject } from "../../../web/shell/session.ts";
import { entriesOptions } from "./entries-options.ts";
import { NotesPart } from "./notes-part.tsx";
import type { FeedbackEntry, FeedbackMetric } from "./types.ts";
import { writeMean } from "./write-value.ts";

/** The latest entries of all time, one by one, and notes to read. */
export function EntriesPart({ metrics }: { readonly metrics: readonly FeedbackMetric[] }) {
  return (
    <Stack component="section" gap="sm" aria-label="One by one">
      <Title order={2} size="h4">
        One by one
      </Title>
      <Tabs defaultValue="entries" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="entries">Latest entries</Tabs.Tab>
          <Tabs.Tab value="notes">Notes</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="entries">
          <Entries metrics={metrics} />
        </Tabs.Panel>
        <Tabs.Panel value="notes">
          <NotesPart />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Entries({ metrics }: { readonly metrics: readonly FeedbackMetric[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const metric = metrics.find(({ name, kind }) => JSON.stringify([name, kind]) === chosen);
  const { id: projectId } = useProject();
  const entries = useInfiniteQuery(entriesOptions(projectId, metric));
  return (
    <Stack gap="sm">
      <Select
        aria-label="Metric of the entries"
        placeholder="All metrics"
        clearable
        maw={260}
        data={metrics.map(({ name, kind }) => ({
          value: JSON.stringify([name, kind]),
          label: kind === "note" ? `${nameText(name)} (notes)` : nameText(name),
        }))}
        value={chosen}
        onChange={setChosen}
      />
      <ErrorNote error={entries.error} onRetry={() => void entries.refetch()} />
      <DataTable table={TABLE} rows={entries.data?.pages.flatMap((page) => page.entries)} />
      <MoreButton pages={entries}>Show older ones</MoreButton>
    </Stack>
  );
}

const TABLE: TableDescription<FeedbackEntry> = {
  caption: "Latest entries",
  rowKey: ({ id }) => id,
  empty: (
    <Text p="md" c="dimmed">
      No entries for this metric.
    </Text>
  ),
  columns: [
    {
      heading: "Time",
      cell: ({ createdAt }) => (
        <Text span fz="sm" title={formatTime(createdAt)} style={{ whiteSpace: "nowrap" }}>
          {formatAgo(createdAt)}
        </Text>
      ),
    },
    { heading: "Metric", cell: ({ name }) => <Name>{name}</Name> },
    {
      heading: "Value",
      cell: ({ value }) => (
        <Box maw={320} miw={typeof value === "string" ? 160 : 0}>
          {typeof value === "string" ? <Clamped text={value} lines={3} /> : writeValue(value)}
        </Box>
      ),
    },
    { heading: "Answered by", isMinor: true, cell: ({ model }) => <Name>{model}</Name> },
    { heading: "Workload", isMinor: true, cell: ({ workload }) => <Name>{workload}</Name> },
    {
      heading: "Tags",
      isMinor: true,
      cell: ({ tags }) => (
        <Text span fz="xs" c="dimmed">
          <Name lines={2}>
            {Object.entries(tags)
              .map(([name, value]) => `${name}: ${value}`)
              .join(", ")}
          </Name>
        </Text>
      ),
    },
    { heading: "Request", cell: ({ inferenceId }) => <RequestLink id={inferenceId}>Open</RequestLink> },
  ],
};

function writeValue(value: boolean | number): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return writeMean("float", value);
}
