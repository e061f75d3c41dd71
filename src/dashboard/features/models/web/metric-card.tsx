import { Badge, Box, Group, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { formatNumber, formatPercent, NONE } from "../../../web/parts/format.ts";
import { Name } from "../../../web/parts/name.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { IntervalPlot } from "./interval-plot.tsx";
import { digitsFor } from "./scale.ts";
import type { ComparedMetric } from "./types.ts";

interface Props {
  readonly metric: ComparedMetric;
  readonly colors: ReadonlyMap<string, string>;
}

/** Models of one plot, which people can still take in. */
const PLOTTED = 20;

const DIRECTIONS = { max: "Higher is better", min: "Lower is better" } as const;

/** One metric of all models: a plot of intervals, and the table behind it. */
export function MetricCard({ metric, colors }: Props) {
  const [view, setView] = useState("plot");
  const { name, kind, optimize, means, ahead } = metric;
  const format = kind === "boolean" ? formatPercent : floatFormat(means);
  return (
    <Box component="section" aria-label={nameText(name)} className="attune-card" p="md">
      <Group justify="space-between" align="flex-start" mb="sm" wrap="nowrap">
        <Box miw={0}>
          <Group gap="xs">
            <Title order={3} size="h5">
              <Name lines={2}>{name}</Name>
            </Title>
            <Badge variant="default" tt="none" fw={500}>
              {kind === "boolean" ? "share of true" : "mean score"}
            </Badge>
          </Group>
          <Text fz="sm" c="dimmed" mt={2}>
            {optimize === null ? "The feedback does not say which way is better" : DIRECTIONS[optimize]}
            {optimize !== null && means.length > 1 && `; ${verdict(ahead)}`}
          </Text>
        </Box>
        <SegmentedControl
          size="xs"
          style={{ flex: "none" }}
          aria-label={`${nameText(name)} as`}
          value={view}
          onChange={setView}
          data={[
            { value: "plot", label: "Plot" },
            { value: "table", label: "Table" },
          ]}
        />
      </Group>
      {view === "plot" ? (
        <>
          <IntervalPlot metric={{ ...metric, means: means.slice(0, PLOTTED) }} colors={colors} format={format} />
          {means.length > PLOTTED && (
            <Text fz="sm" c="dimmed" mt="xs">
              The {PLOTTED} models that answered most. The table has all {formatNumber(means.length)}.
            </Text>
          )}
        </>
      ) : (
        <Stack>
          <DataTable table={TABLE} rows={means} context={{ name, format }} />
        </Stack>
      )}
    </Box>
  );
}

function floatFormat(means: ComparedMetric["means"]): (value: number) => string {
  const digits = digitsFor(means.flatMap(({ mean, low, high }) => [mean, low ?? mean, high ?? mean]));
  const floats = new Intl.NumberFormat("en-US", { maximumFractionDigits: digits });
  return (value) => floats.format(value);
}

function verdict(ahead: string | null): string {
  return ahead === null
    ? "the intervals overlap, so none is ahead for certain"
    : `${nameText(ahead)} is ahead of all others on what it served`;
}

interface Context {
  readonly name: string;
  readonly format: (value: number) => string;
}

function writeEnd(value: number | null, { format }: Context): string {
  return value === null ? NONE : format(value);
}

const TABLE: TableDescription<ComparedMetric["means"][number], Context> = {
  caption: ({ name }) => nameText(name),
  rowKey: ({ model }) => model,
  columns: [
    { heading: "Model", cell: ({ model }) => <Name>{model}</Name> },
    { heading: "Mean", isNumeric: true, cell: ({ mean }, { format }) => format(mean) },
    { heading: "95% from", isNumeric: true, cell: ({ low }, context) => writeEnd(low, context) },
    { heading: "95% to", isNumeric: true, cell: ({ high }, context) => writeEnd(high, context) },
    { heading: "Entries (n)", isNumeric: true, cell: ({ n }) => formatNumber(n) },
  ],
};
