import { Badge, Group, Radio, Text } from "@mantine/core";
import { DataTable, type TableDescription } from "../../parts/data-table.tsx";
import { formatNumber, NONE } from "../../parts/format.ts";
import { Name } from "../../parts/name.tsx";
import { nameText } from "../../parts/name-text.ts";
import type { FeedbackMetric } from "./types.ts";
import { KIND_WORDS, meanLabel, writeEstimate } from "./write-value.ts";

interface Props {
  /** Undefined while they are on their way. */
  readonly metrics: readonly FeedbackMetric[] | undefined;
  /** Key of the one that is shown below. */
  readonly chosen: string | undefined;
  readonly onChoose: (metric: FeedbackMetric) => void;
}

const DIRECTIONS = { max: "Higher", min: "Lower" } as const;

/** All metrics; one of them is chosen to be looked at. */
export function MetricsTable({ metrics, chosen, onChoose }: Props) {
  if (metrics?.length === 0) return null;
  return <DataTable table={TABLE} rows={metrics} context={{ chosen, onChoose }} />;
}

const TABLE: TableDescription<FeedbackMetric, Pick<Props, "chosen" | "onChoose">> = {
  caption: "Metrics",
  rowKey: ({ name, kind }) => JSON.stringify([name, kind]),
  pageSize: 25,
  columns: [
    {
      heading: "Metric",
      searchText: ({ name }) => name,
      cell: (metric, { chosen, onChoose }) => (
        <Group gap="xs" wrap="nowrap">
          <Radio
            size="sm"
            name="metric"
            label={<Name>{metric.name}</Name>}
            aria-label={`Show ${nameText(metric.name)} (${KIND_WORDS[metric.kind] ?? metric.kind})`}
            checked={chosen === JSON.stringify([metric.name, metric.kind])}
            onChange={() => onChoose(metric)}
          />
        </Group>
      ),
    },
    {
      heading: "Kind",
      isMinor: true,
      cell: ({ kind }) => (
        <Badge variant="default" size="sm">
          {KIND_WORDS[kind] ?? kind}
        </Badge>
      ),
    },
    { heading: "Entries", isNumeric: true, cell: ({ entries }) => formatNumber(entries) },
    {
      heading: "Mean, 95% interval",
      isNumeric: true,
      cell: ({ kind, estimate }) => (
        <Text span fz="sm" title={meanLabel(kind)} className="attune-nowrap">
          {writeEstimate(kind, estimate)}
        </Text>
      ),
    },
    {
      heading: "Better is",
      isMinor: true,
      cell: ({ optimize }) => (optimize === null ? NONE : DIRECTIONS[optimize]),
    },
  ],
};
