import "@mantine/charts/styles.css";
import "./chart.css";
import { AreaChart, BarChart, ChartTooltip, CompositeChart, LineChart } from "@mantine/charts";
import { type ComponentProps, useState } from "react";
import { Area, ReferenceArea } from "recharts";
import { axisTicks, everyNth } from "./axis-ticks.ts";
import { coincidingDashes } from "./coinciding-lines.ts";
import { type EndLabel, placeEndLabels } from "./end-labels.ts";
import { repeatedColors } from "./repeated-colors.ts";
import { useIsPhone } from "./use-is-phone.ts";

/** A line, or a part of a bar. */
export interface Series {
  /** Member of the rows that it shows. */
  readonly name: string;
  readonly label: string;
  /** A color of the theme, indigo.6, or of CSS. */
  readonly color: string;
  /** Member of the rows that has the interval around a line. */
  readonly range?: string;
  /** True if the interval is only in the table: of many areas that overlap, none can be seen. */
  readonly hidesRange?: boolean;
  /** True for a line that runs along others: what lies below it shows through its gaps. */
  readonly isDashed?: boolean;
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
  /** Opens the rows behind a bar, by the place of its row and the name of its series. */
  readonly onOpen?: ((row: number, series: string) => void) | undefined;
  /** Called with the first and the last row that a drag goes over. */
  readonly onZoom?: ((first: number, last: number) => void) | undefined;
}

/** The pattern of lines, and of the edges of bars, whose color another one has. */
const DASHES = "5 3";

/** Most steps of a line that are marked each by a dot. */
const MAX_DOTS = 60;

/** The part of a chart's height that its horizontal axis and margins take. */
const AXIS_PX = 40;
/** The room for labels at the ends of lines. */
const LABELS_PX = 120;
/** Characters of a label of which six stand beside each other in the narrowest chart: `30 Nov*`. */
const SHORT_LABEL = 8;

/** Names a value that no row has. */
const TOTAL = { name: "total of all", label: "Total", color: "transparent" } as const;

/** Draws a chart. It is hidden from screen readers: the table says the same. */
export function Chart({ kind, series, rows, format, heightPx, domain, onOpen, onZoom }: Props) {
  const labels = rows.map(({ at }) => at);
  const drag = useDragRange(labels, onZoom);
  const ticks = findTicks({ kind, series, rows, domain });
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const isPhone = useIsPhone();
  const plot = { domain: [low, high] as const, heightPx: heightPx - AXIS_PX };
  const repeated = repeatedColors(series);
  const equal = kind === "line" ? coincidingDashes(series, rows, plot) : NO_DASHES;
  const patterned = series.map((one) => {
    const strokeDasharray = repeated.has(one.name) || one.isDashed === true ? DASHES : equal.get(one.name);
    return strokeDasharray === undefined ? one : { ...one, strokeDasharray };
  });
  const ends = kind === "bar" || isPhone ? NO_LABELS : placeEndLabels(series, rows, plot);
  const margin = ends.size > 0 ? { margin: { right: LABELS_PX } } : {};
  const shared = {
    h: heightPx,
    data: [...rows],
    dataKey: "at",
    series: patterned,
    valueFormatter: format,
    tickLine: "none" as const,
    xAxisProps: { minTickGap: 2, ticks: everyNth(labels, isPhone ? 3 : mostTicks(labels)) },
    yAxisProps: {
      width: 64,
      ticks,
      domain: [low, high],
      interval: 0,
    },
    "aria-hidden": true,
    // What is hidden must not take the focus.
    accessibilityLayer: false,
    ...(onZoom !== undefined && { className: "attune-chart-zoom" }),
    children: drag.area && (
      <ReferenceArea x1={drag.area[0]} x2={drag.area[1]} fillOpacity={0.15} ifOverflow="visible" />
    ),
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
    return (
      <BarChart
        {...shared}
        type="stacked"
        barProps={barProps}
        barChartProps={drag.handlers}
        {...(series.length > 1 && { tooltipProps: totalTooltip(series, format) })}
      />
    );
  }
  const label = ({ name }: { readonly name: string }) => endLabel(ends.get(name));
  const chartProps = { ...drag.handlers, ...margin };
  if (kind === "area") return <AreaChart {...shared} {...line} areaProps={label} areaChartProps={chartProps} />;
  if (series.some(({ range }) => range !== undefined)) {
    const labeled = { ...line, lineProps: label, composedChartProps: margin };
    return <LinesWithin series={patterned} shared={shared} line={labeled} format={format} />;
  }
  return <LineChart {...shared} {...line} lineProps={label} lineChartProps={chartProps} />;
}

const NO_DASHES: ReadonlyMap<string, string> = new Map();
const NO_LABELS: ReadonlyMap<string, EndLabel> = new Map();

/** Writes the name of a line beside its last value. */
function endLabel(end: EndLabel | undefined) {
  if (end === undefined) return {};
  return {
    label: ({ x = 0, y = 0, index }: { x?: number | string; y?: number | string; index?: number }) =>
      index === end.row ? (
        <text x={Number(x) + 8} y={Number(y) + end.shiftPx} dy="0.35em" fontSize={11} fill="var(--mantine-color-text)">
          {end.text}
        </text>
      ) : (
        <g />
      ),
  };
}

/** A bar whose color another one has is pale, with dashed edges. */
const HOLLOW = { fillOpacity: 0.35, strokeDasharray: DASHES, strokeWidth: 1 };

/** Bars that open what is behind them. The table has the same as links, for keyboards. */
function clickable(onOpen: (row: number, series: string) => void) {
  return ({ name }: { readonly name: string }) => ({
    onClick: (_: unknown, index: number) => onOpen(index, name),
    cursor: "pointer",
  });
}

/** Adds the sum of a bar to what its parts are. */
function totalTooltip(
  series: readonly Series[],
  format: Props["format"],
): ComponentProps<typeof BarChart>["tooltipProps"] {
  return {
    content: ({ label, payload }) => {
      const parts = [...(payload ?? [])];
      const sum = parts.reduce((all, { value }) => all + (typeof value === "number" ? value : 0), 0);
      const total = { name: TOTAL.name, color: TOTAL.color, payload: { [TOTAL.name]: sum } };
      return (
        <ChartTooltip label={label} payload={[...parts, total]} series={[...series, TOTAL]} valueFormatter={format} />
      );
    },
  };
}

/** Of labels that do not fit, the library would leave out some, and the gaps between the others would differ. */
function mostTicks(labels: readonly string[]): number {
  return labels.some(({ length }) => length > SHORT_LABEL) ? 4 : 6;
}

/** Returns the ticks of the vertical axis: those of its ends where these are given, else from zero on. */
function findTicks({ kind, series, rows, domain }: Pick<Props, "kind" | "series" | "rows" | "domain">): number[] {
  if (domain !== undefined) return axisTicks(...domain);
  const values = rows.flatMap((row) => {
    const own = series.map(({ name }) => row[name]).filter((value) => typeof value === "number");
    if (kind === "line") return own;
    // Parts of a bar are stacked to either side of zero.
    return [true, false].map((isUp) =>
      own.filter((value) => value > 0 === isUp).reduce((sum, value) => sum + value, 0),
    );
  });
  const isWhole = values.every((value) => Number.isInteger(value));
  return axisTicks(Math.min(0, ...values), Math.max(0, ...values), isWhole);
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

/** Lines with their intervals as areas around them; the tooltip names the lines alone. */
function LinesWithin({ series, shared, line, format }: WithinProps) {
  const lines = series.map((one) => ({ ...one, type: "line" as const }));
  const shown = <T extends Entry>(entries: readonly T[] | undefined) =>
    (entries ?? []).filter(({ type }) => type !== "none");
  return (
    <CompositeChart
      {...(shared as { data: Record<string, unknown>[]; dataKey: string })}
      {...line}
      series={lines}
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

/** The position of a pointer as recharts reports it. */
interface PointerPosition {
  readonly activeLabel?: string | number | undefined;
}

/**
 * Follows a drag along the horizontal axis. Returns the labels that it goes over, and what listens to the pointer;
 * nothing where no drag is asked for.
 */
function useDragRange(
  labels: readonly string[],
  onRange: ((first: number, last: number) => void) | undefined,
): { readonly area: readonly [string, string] | undefined; readonly handlers: object } {
  const [drag, setDrag] = useState<readonly [from: string, to: string]>();
  if (onRange === undefined) return { area: undefined, handlers: {} };
  const readLabel = ({ activeLabel }: PointerPosition) => (typeof activeLabel === "string" ? activeLabel : undefined);
  const end = () => {
    setDrag(undefined);
    if (drag === undefined) return;
    const [one, other] = drag.map((label) => labels.indexOf(label));
    if (one === undefined || other === undefined || one < 0 || other < 0 || one === other) return;
    onRange(Math.min(one, other), Math.max(one, other));
  };
  const handlers = {
    onMouseDown: (place: PointerPosition) => {
      const label = readLabel(place);
      if (label !== undefined) setDrag([label, label]);
    },
    onMouseMove: (place: PointerPosition) => {
      const label = readLabel(place);
      if (drag !== undefined && label !== undefined && label !== drag[1]) setDrag([drag[0], label]);
    },
    onMouseUp: end,
    onMouseLeave: () => setDrag(undefined),
  };
  return { area: drag !== undefined && drag[0] !== drag[1] ? drag : undefined, handlers };
}
