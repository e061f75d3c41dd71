import { Anchor, Box, Group, SegmentedControl, Skeleton, Text } from "@mantine/core";
import { IconChartLine } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { Link, useNavigate } from "react-router";
import { lazyPart } from "../shell/lazy-part.ts";
import type { ChartRow, Interval, Series } from "./chart.tsx";
import { DataTable, type TableDescription } from "./data-table.tsx";
import { EmptyState } from "./empty-state.tsx";
import { Legend, shownSeries } from "./legend.tsx";

// Charts are the largest part of the dashboard: only pages that have one load them.
const Chart = lazyPart(async () => (await import("./chart.tsx")).Chart);

interface Props {
  readonly title: string;
  /** The unit of the values: "calls per hour". */
  readonly unit: string;
  readonly kind: "line" | "area" | "bar";
  readonly series: readonly Series[];
  /** Undefined while they are on their way. */
  readonly rows: readonly ChartRow[] | undefined;
  /** Writes a value with its unit. */
  readonly format: (value: number | null) => string;
  /** The value of the whole time, with its unit. */
  readonly total?: string | undefined;
  /** The text shown when there is no data: what to do first. */
  readonly emptyText: string;
  /** Ends of the vertical axis. */
  readonly domain?: Interval;
  /** True where the page has one legend for several charts. */
  readonly hidesLegend?: boolean;
  /** Called with the first and the last row that a drag over the chart selects. */
  readonly onZoom?: ((first: number, last: number) => void) | undefined;
  /** Returns the address of the rows behind a value, by the place of its row and the name of its series. */
  readonly findPath?: ((row: number, series: string) => string | undefined) | undefined;
}

const HEIGHT_PX = 260;

/** A chart, and the same figures as a table. */
export function ChartWithTable(props: Props) {
  const { title, unit, total, kind, series, rows, format, emptyText, domain, findPath, onZoom } = props;
  const { hidesLegend = false } = props;
  const [isolated, setIsolated] = useState<string>();
  const navigate = useNavigate();
  const open = (row: number, name: string) => {
    const path = findPath?.(row, name);
    if (path !== undefined) void navigate(path);
  };
  const [view, setView] = useState("chart");
  return (
    <Box component="section" aria-label={title} className="attune-card" p="md">
      <Group justify="space-between" align="flex-start" wrap="nowrap" mb="sm">
        <Box miw={0}>
          <Text fw={600}>
            {title}
            {total !== undefined && (
              <Text span inherit fw={400} c="dimmed" ml={8}>
                {total}
              </Text>
            )}
          </Text>
          <Text fz="sm" c="dimmed" className="attune-capital">
            {unit}
          </Text>
        </Box>
        <SegmentedControl
          size="xs"
          aria-label={`${title} as`}
          style={{ flex: "none" }}
          value={view}
          onChange={setView}
          data={[
            { value: "chart", label: "Chart" },
            { value: "table", label: "Table" },
          ]}
        />
      </Group>
      {rows?.length === 0 && <EmptyState Icon={IconChartLine} title="No data in this period" text={emptyText} />}
      {rows?.length !== 0 && view === "table" && <DataTable table={describeTable(props)} rows={rows} />}
      {rows?.length !== 0 && view === "chart" && (
        <Suspense fallback={<Skeleton h={HEIGHT_PX} />}>
          {rows === undefined ? (
            <Skeleton h={HEIGHT_PX} />
          ) : (
            <Chart
              kind={kind}
              series={shownSeries(series, isolated)}
              rows={rows}
              format={format}
              heightPx={HEIGHT_PX}
              onZoom={onZoom}
              {...(domain && { domain })}
              {...(findPath && { onOpen: open })}
            />
          )}
        </Suspense>
      )}
      {rows?.length !== 0 && view === "chart" && !hidesLegend && series.length > 1 && (
        <Legend series={series} isolated={isolated} onIsolate={setIsolated} />
      )}
    </Box>
  );
}

/** Describes the table, whose values lead to the same rows as the chart's. */
function describeTable({ title, series, rows, format, findPath }: Props): TableDescription<ChartRow> {
  return {
    caption: title,
    rowKey: (row) => row.at,
    columns: [
      { heading: "Time", cell: (row) => row.at },
      ...series.map(({ name, label, range }) => ({
        heading: label,
        isNumeric: true,
        cell: (row: ChartRow) => {
          const value = format(typeof row[name] === "number" ? row[name] : null);
          const interval = range === undefined ? null : row[range];
          const path = row[name] === 0 || row[name] === null ? undefined : findPath?.(rows?.indexOf(row) ?? -1, name);
          if (path !== undefined) {
            return (
              <Anchor
                component={Link}
                to={path}
                fz="inherit"
                aria-label={`${value}, ${label}, ${row.at}: show the calls`}
              >
                {value}
              </Anchor>
            );
          }
          return isInterval(interval) ? `${value} (${format(interval[0])} – ${format(interval[1])})` : value;
        },
      })),
    ],
  };
}

function isInterval(value: ChartRow[string] | undefined): value is Interval {
  return Array.isArray(value);
}
