import { Anchor, Badge, Group, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import { DataTable, type TableDescription } from "../../../../web/parts/data-table.tsx";
import { formatNumber, formatPercent, formatShortCost, NONE } from "../../../../web/parts/format.ts";
import { Name } from "../../../../web/parts/name.tsx";
import { nameText } from "../../../../web/parts/name-text.ts";
import { useProject } from "../../../../web/shell/session.ts";
import type { Workload } from "../types.ts";

/** Models and metrics that are listed of a workload; the rest is counted. */
const MAX_LISTED = 3;

/** Each workload with its calls, models and metrics. */
export function NamesTable({ workloads }: { readonly workloads: readonly Workload[] | undefined }) {
  const { id: projectId } = useProject();
  const all = workloads?.reduce((sum, { calls }) => sum + calls, 0) ?? 0;
  return <DataTable table={TABLE} rows={workloads} context={{ projectId, all }} />;
}

function Models({ workload: { models, calls } }: { readonly workload: Workload }) {
  const more = models.length - MAX_LISTED;
  return (
    <Stack gap={2}>
      {models.slice(0, MAX_LISTED).map((model) => (
        <Text key={model.model} span fz="sm" style={{ whiteSpace: "nowrap" }}>
          <Name>{model.model || "No model"}</Name>{" "}
          <Text span c="dimmed" fz="sm">
            {formatPercent(model.calls / calls)}
          </Text>
        </Text>
      ))}
      {more > 0 && (
        <Text span fz="xs" c="dimmed">
          and {more} more
        </Text>
      )}
    </Stack>
  );
}

function Metrics({ workload: { metrics } }: { readonly workload: Workload }) {
  if (metrics.length === 0) return NONE;
  const sorted = [...metrics].sort((a, b) => b.entries - a.entries);
  const more = sorted.length - MAX_LISTED;
  return (
    <Group gap={6}>
      {sorted.slice(0, MAX_LISTED).map(({ name, kind, entries }) => (
        <Badge key={`${name} ${kind}`} variant="default" size="sm" maw={260}>
          <Name>{name}</Name> {formatNumber(entries)}
        </Badge>
      ))}
      {more > 0 && (
        <Text span fz="xs" c="dimmed">
          and {more} more
        </Text>
      )}
    </Group>
  );
}

interface Context {
  readonly projectId: string;
  /** Calls of all names. */
  readonly all: number;
}

const TABLE: TableDescription<Workload, Context> = {
  caption: "Calls by name",
  rowKey: ({ workload }) => workload,
  columns: [
    {
      heading: "Name",
      cell: ({ workload }, { projectId }) =>
        workload === "" ? (
          <Text span fz="sm" c="dimmed">
            No name
          </Text>
        ) : (
          <Anchor
            component={Link}
            to={`/projects/${projectId}/models?${new URLSearchParams({ workload })}`}
            fz="sm"
            fw={500}
            aria-label={`Compare the models of ${nameText(workload)}`}
          >
            <Name>{workload}</Name>
          </Anchor>
        ),
    },
    { heading: "Calls", isNumeric: true, cell: ({ calls }) => formatNumber(calls) },
    {
      heading: "Share of calls",
      isNumeric: true,
      isMinor: true,
      cell: ({ calls }, { all }) => formatPercent(all === 0 ? null : calls / all),
    },
    { heading: "Cost", isNumeric: true, cell: ({ costNanos }) => formatShortCost(costNanos) },
    {
      heading: "Cost per call",
      isNumeric: true,
      isMinor: true,
      cell: ({ costNanos, pricedCalls }) => formatShortCost(costNanos === null ? null : costNanos / pricedCalls),
    },
    { heading: "Models, share of its calls", cell: (workload) => <Models workload={workload} /> },
    { heading: "Feedback, entries", cell: (workload) => <Metrics workload={workload} /> },
  ],
};
