import { SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../../web/api/trpc.ts";
import type { Range } from "../../../web/figures/range.ts";
import { seriesColor } from "../../../web/figures/series-colors.ts";
import { perStep, stepLabels } from "../../../web/figures/step-label.ts";
import type { ChartRow } from "../../../web/parts/chart.tsx";
import { ChartWithTable } from "../../../web/parts/chart-with-table.tsx";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatNumber, formatPercent } from "../../../web/parts/format.ts";
import { Name } from "../../../web/parts/name.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { useProject } from "../../../web/shell/session.ts";
import type { FeedbackMetric, FeedbackSummary, MetricDetail, MetricKind } from "./types.ts";
import { meanLabel, writeEstimate, writeMean } from "./write-value.ts";

const REFRESH_MS = 30_000;

interface Props {
  readonly metric: FeedbackMetric;
  readonly range: Range;
  readonly summary: FeedbackSummary;
}

/** One metric over time, by model, by workload, and how its numbers are spread. */
export function MetricPart({ metric, range, summary }: Props) {
  const { name, kind } = metric;
  const { id: projectId } = useProject();
  const detail = useQuery(
    trpc.feedback.metric.queryOptions(
      { projectId, ...range, name, kind: kind as MetricKind },
      { refetchInterval: REFRESH_MS },
    ),
  );
  return (
    <Stack component="section" aria-label={nameText(name)} gap="sm">
      <Title order={2} size="h4">
        <Name lines={2}>{name}</Name>
      </Title>
      <ErrorNote error={detail.error} onRetry={() => void detail.refetch()} />
      {kind !== "note" && (
        <SimpleGrid cols={{ base: 1, lg: kind === "float" ? 2 : 1 }} spacing="sm">
          <OverTime metric={metric} summary={summary} />
          {kind === "float" && <Distribution detail={detail.data} />}
        </SimpleGrid>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="sm">
        <Groups
          title="By the model that answered"
          heading="Model that answered"
          none="No model"
          kind={kind}
          rows={detail.data?.byModel}
        />
        <Groups title="By workload" heading="Workload" none="No workload" kind={kind} rows={detail.data?.byWorkload} />
      </SimpleGrid>
    </Stack>
  );
}

function OverTime({ metric: { name, kind }, summary }: Omit<Props, "range">) {
  const series = summary.series.find((one) => one.name === name && one.kind === kind);
  const labels = stepLabels(summary.buckets, summary);
  const rows = summary.buckets.map(
    (_, at): ChartRow => ({
      at: labels[at] ?? "",
      mean: series?.means[at] ?? null,
    }),
  );
  return (
    <ChartWithTable
      title="Over time"
      unit={`${meanLabel(kind)} ${perStep(summary.stepMs)}`}
      kind="line"
      series={[{ name: "mean", label: meanLabel(kind), color: seriesColor(0) }]}
      rows={series === undefined ? [] : rows}
      format={(value) => writeMean(kind, value)}
      emptyText="No values in this period."
      {...(kind === "boolean" && { domain: [0, 1] as const })}
    />
  );
}

function Distribution({ detail }: { readonly detail: MetricDetail | undefined }) {
  const { n = 0, bins = [] } = detail?.distribution ?? {};
  const rows = bins.map(
    ({ from, to, count }): ChartRow => ({
      at: from === to ? writeMean("float", from) : `${writeMean("float", from)} – ${writeMean("float", to)}`,
      count,
    }),
  );
  return (
    <ChartWithTable
      title="Distribution"
      unit={`entries by value, of ${n === 500 ? "the latest 500" : `all ${formatNumber(n)}`}`}
      kind="bar"
      series={[{ name: "count", label: "Entries", color: seriesColor(1) }]}
      rows={detail && rows}
      format={(value) => (value === null ? "" : `${formatNumber(value)} (${formatPercent(n === 0 ? 0 : value / n)})`)}
      emptyText="No values in this period."
    />
  );
}

type GroupRow = MetricDetail["byModel"][number];

interface GroupsProps {
  readonly title: string;
  readonly heading: string;
  readonly none: string;
  readonly kind: string;
  readonly rows: readonly GroupRow[] | undefined;
}

function Groups({ title, heading, none, kind, rows }: GroupsProps) {
  return <DataTable table={TABLE} rows={rows} context={{ title, heading, none, kind }} />;
}

const TABLE: TableDescription<GroupRow, Omit<GroupsProps, "rows">> = {
  caption: ({ title }) => title,
  rowKey: ({ group }) => group,
  columns: [
    {
      heading: ({ heading }) => heading,
      cell: ({ group }, { none }) => (
        <Text span fz="sm" fw={500}>
          {group === "" ? none : <Name>{group}</Name>}
        </Text>
      ),
    },
    { heading: "Entries", isNumeric: true, cell: ({ entries }) => formatNumber(entries) },
    {
      heading: ({ kind }) => (kind === "boolean" ? "Share of true, 95% interval" : "Mean, 95% interval"),
      isNumeric: true,
      isShown: ({ kind }) => kind !== "note",
      cell: ({ estimate }, { kind }) => writeEstimate(kind, estimate),
    },
  ],
};
