import "@mantine/charts/styles.css";
import "./chart.css";
import { AreaChart, BarChart, ChartLegend, ChartTooltip, CompositeChart, LineChart } from "@mantine/charts";
import { Area } from "recharts";
import { legendLines } from "./legend-lines.ts";
import { repeatedColors } from "./repeated-colors.ts";

/** A line, or a part of a bar. */
export interface Series {
  /** Member of the rows that it shows. */
  readonly name: string;
  readonly label: string;
  /** A colour of the theme, indigo.6, or of CSS. */
  readonly color: string;
  /** Member of the rows that has the interval around a line. */
  readonly range?: string;
  /** True if the interval is only in the table: of many areas that overlap, none can be seen. */
  readonly hidesRange?: boolean;
}

/** An interval, from its low to its high end. */
export type Interval = readonly [low: number, high: number];

/** A point on the horizontal axis, with the value of each series; null where there is none. */
export interface ChartRow {
  /** The label below the axis and in the table. */
  readonly at: string;
  readonly [series: string]: string | number | Interval | null;
}

interface Props {
  readonly kind: "line" | "area" | "bar";
  readonly series: readonly Series[];
  readonly rows: readonly ChartRow[];
  readonly format: (value: number | null) => string;
  readonly heightPx: number;
  /** Ends of the vertical axis; from zero to beyond the greatest value where they are not given. */
  readonly domain?: Interval;
  /** True where the page has one legend for several charts. */
  readonly hidesLegend?: boolean;
  /** Opens the rows behind a bar, by the place of its row and the name of its series. */
  readonly onOpen?: ((row: number, series: string) => void) | undefined;
}

/** The pattern of lines, and of the edges of bars, whose colour another one has. */
const DASHES = "5 3";

const LEGEND_LINE_PX = 22;

/** Most steps of a line that are marked each by a dot. */
const MAX_DOTS = 60;

/** Draws a chart. It is hidden from screen readers: the table says the same. */
export function Chart({ kind, series, rows, format, heightPx, domain, hidesLegend = false, onOpen }: Props) {
  const repeated = repeatedColors(series);
  const withLegend = !hidesLegend && series.length > 1;
  const shared = {
    // The legend takes its room from the chart: on a phone several lines.
    h: withLegend
      ? { base: heightPx + LEGEND_LINE_PX * legendLines(series.map(({ label }) => label)), sm: heightPx }
      : heightPx,
    data: [...rows],
    dataKey: "at",
    series: series.map((one) => (repeated.has(one.name) ? { ...one, strokeDasharray: DASHES } : one)),
    valueFormatter: format,
    withLegend,
    legendProps: { verticalAlign: "bottom" as const },
    tickLine: "none" as const,
    xAxisProps: { minTickGap: 16 },
    yAxisProps: {
      allowDecimals: domain !== undefined || !isWhole(rows),
      width: 64,
      ...(domain && { domain: [...domain] }),
    },
    "aria-hidden": true,
    // What is hidden must not take the focus.
    accessibilityLayer: false,
  };
  const line = {
    curveType: "linear" as const,
    connectNulls: false,
    // A value between two that are missing is no line: only its dot is seen.
    withDots: rows.length <= MAX_DOTS,
    dotProps: { r: 2 },
  };
  if (kind === "bar") {
    const barProps = (one: { readonly name: string }) => ({
      ...(repeated.has(one.name) && HOLLOW),
      ...(onOpen && clickable(onOpen)(one)),
    });
    return <BarChart {...shared} type="stacked" barProps={barProps} />;
  }
  if (kind === "area") return <AreaChart {...shared} {...line} />;
  if (series.some(({ range }) => range !== undefined))
    return <LinesWithin series={series} shared={shared} line={line} format={format} />;
  return <LineChart {...shared} {...line} />;
}

/** A bar whose colour another one has is pale, with dashed edges. */
const HOLLOW = { fillOpacity: 0.35, strokeDasharray: DASHES, strokeWidth: 1 };

/** Bars that open what is behind them. The table has the same as links, for keyboards. */
function clickable(onOpen: (row: number, series: string) => void) {
  return ({ name }: { readonly name: string }) => ({
    onClick: (_: unknown, index: number) => onOpen(index, name),
    cursor: "pointer",
  });
}

interface WithinProps {
  readonly series: readonly Series[];
  readonly shared: object;
  readonly line: object;
  readonly format: Props["format"];
}

/** A series as recharts reports it. */
interface Entry {
  readonly type?: string;
}

/** Lines with their intervals as areas around them; legend and tooltip name the lines alone. */
function LinesWithin({ series, shared, line, format }: WithinProps) {
  const repeated = repeatedColors(series);
  const lines = series.map((one) => ({
    ...one,
    type: "line" as const,
    ...(repeated.has(one.name) && { strokeDasharray: DASHES }),
  }));
  const shown = <T extends Entry>(entries: readonly T[] | undefined) =>
    (entries ?? []).filter(({ type }) => type !== "none");
  return (
    <CompositeChart
      {...(shared as { data: Record<string, unknown>[]; dataKey: string })}
      {...line}
      series={lines}
      legendProps={{
        verticalAlign: "bottom",
        content: ({ payload }) => (
          <ChartLegend payload={shown(payload)} onHighlight={() => {}} legendPosition="bottom" series={lines} />
        ),
      }}
      tooltipProps={{
        content: ({ label, payload }) => (
          <ChartTooltip label={label} payload={shown(payload)} series={lines} valueFormatter={format} />
        ),
      }}
    >
      {series.map(({ name, range, color, hidesRange = false }) =>
        range === undefined || hidesRange ? null : (
          <Area
            key={name}
            dataKey={range}
            stroke="none"
            fill={color}
            fillOpacity={0.14}
            type="linear"
            isAnimationActive={false}
            activeDot={false}
            legendType="none"
            tooltipType="none"
          />
        ),
      )}
    </CompositeChart>
  );
}

/** Counts have no ticks between whole numbers. */
function isWhole(rows: readonly ChartRow[]): boolean {
  return rows.every((row) => Object.values(row).every((value) => typeof value !== "number" || Number.isInteger(value)));
}
