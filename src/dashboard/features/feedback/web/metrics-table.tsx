import { Badge, Group, Radio, Text } from "@mantine/core";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { formatNumber, NONE } from "../../../web/parts/format.ts";
import { Name } from "../../../web/parts/name.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { joinKinds, type NamedMetric, writeMixedKinds } from "./join-kinds.ts";
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
  const rows = metrics && joinKinds(metrics);
  const mixed = rows && writeMixedKinds(rows);
  return (
    <>
      <DataTable table={TABLE} rows={rows} context={{ chosen, onChoose }} />
      {mixed !== undefined && (
        <Text fz="sm" c="dimmed">
          {mixed}
        </Text>
      )}
    </>
  );
}

const TABLE: TableDescription<NamedMetric, Pick<Props, "chosen" | "onChoose">> = {
  caption: "Metrics",
  rowKey: ({ name }) => name,
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
      cell: (metric, { onChoose }) => (
        <Group gap={4} wrap="nowrap">
          {[metric, ...metric.others].map((one) => (
            <Badge
              key={one.kind}
              variant="default"
              size="sm"
              {...(metric.others.length > 0 && {
                component: "button",
                "aria-label": `Show ${nameText(one.name)} (${KIND_WORDS[one.kind] ?? one.kind})`,
                onClick: () => onChoose(one),
              })}
            >
              {KIND_WORDS[one.kind] ?? one.kind}
            </Badge>
          ))}
        </Group>
      ),
    },
    { heading: "Entries", isNumeric: true, cell: (metric) => formatNumber(countEntries(metric)) },
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

function countEntries({ entries, others }: NamedMetric): number {
  return others.reduce((sum, other) => sum + other.entries, entries);
}
