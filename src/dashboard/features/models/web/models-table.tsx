import { Box, Group, Text } from "@mantine/core";
import type { Range } from "../../../web/figures/range.ts";
import { CallsLink } from "../../../web/parts/calls-link.tsx";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { formatLatency, formatNumber, formatPercent, formatShortCost, NONE } from "../../../web/parts/format.ts";
import { Name } from "../../../web/parts/name.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import "./models.css";
import type { ComparedModel } from "./types.ts";

interface Props {
  readonly models: readonly ComparedModel[] | undefined;
  readonly colors: ReadonlyMap<string, string>;
  /** The time of the figures. */
  readonly range: Range;
}

/** Use, cost, latency and errors of all models, each by the calls that it answered. */
export function ModelsTable({ models, colors, range }: Props) {
  const most = (pick: (model: ComparedModel) => number | null | undefined) =>
    Math.max(0, ...(models ?? []).map((model) => pick(model) ?? 0));
  const [cost, slowest] = [most((model) => model.costNanosPerCall), most((model) => model.latency.total.p95Ms)];
  return <DataTable table={TABLE} rows={models} context={{ colors, range, cost, slowest }} />;
}

function answersForOthers({ model, calls, askedCalls, asked }: ComparedModel): boolean {
  return calls !== askedCalls || asked.some((other) => other.model !== model);
}

/** Calls that a model answered, or failed to, with the models that they asked for where it was another. */
function Answered({ model: { model, calls, asked }, range }: { readonly model: ComparedModel; readonly range: Range }) {
  const others = asked.filter((other) => other.model !== model);
  const listed = others.map((other) => `${formatNumber(other.calls)} requested ${nameText(other.model)}`);
  return (
    <>
      <CallsLink calls={calls} range={range} filter={{ answered: model }} what={`answered by ${model}`} />
      {listed.length > 0 && (
        <Text fz="xs" c="dimmed" title={listed.join("\n")} className="attune-nowrap">
          {listed[0]}
          {listed.length > 1 && ` and ${listed.length - 1} more`}
        </Text>
      )}
    </>
  );
}

const NO_BREAK = "\u00a0";

interface PercentilesProps {
  readonly times: ComparedModel["latency"]["total"];
}

function Percentiles({ times }: PercentilesProps) {
  if (times.p50Ms === null) return <>{NONE}</>;
  const { p50Ms, p95Ms, p99Ms } = times;
  const text = joinTimes([p50Ms, p95Ms, p99Ms]);
  return <span className="attune-nowrap attune-wraps">{text}</span>;
}

/** Joins times, in one unit if it tells them: 0.69 / 2.33 / 3.30 s. A line may end at a stroke. */
function joinTimes(timesMs: readonly (number | null)[]): string {
  const isSeconds =
    timesMs.some((ms) => ms !== null && ms >= 999.5) && timesMs.every((ms) => ms !== null && ms >= 10 && ms < 59_995);
  const times = timesMs.map((ms) => (isSeconds && ms !== null ? `${(ms / 1000).toFixed(2)} s` : formatLatency(ms)));
  const units = new Set(times.map((time) => /^[\d.]+ (m?s)$/.exec(time)?.[1]));
  const [unit] = units;
  const isShared = units.size === 1 && unit !== undefined;
  const figures = isShared ? times.map((time) => time.slice(0, -unit.length - 1)) : times;
  const joined = figures.map((figure) => figure.replaceAll(" ", NO_BREAK)).join(`${NO_BREAK}/ `);
  return isShared ? `${joined}${NO_BREAK}${unit}` : joined;
}

interface BarProps {
  readonly text: React.ReactNode;
  /** The filled part of the bar, 0 to 1. */
  readonly part: number;
  readonly color: string | undefined;
}

/** A figure with a bar, so that the largest is seen before it is read. */
function WithBar({ text, part, color }: BarProps) {
  return (
    <Box>
      <span className="attune-nowrap">{text}</span>
      <Box className="attune-cell-bar" ml="auto" mt={4} aria-hidden>
        <Box h="100%" style={{ width: `${Math.round(part * 100)}%`, background: color }} />
      </Box>
    </Box>
  );
}

interface Context extends Pick<Props, "colors" | "range"> {
  /** The dearest call of all models, and the slowest one, which have a whole bar. */
  readonly cost: number;
  readonly slowest: number;
}

const TABLE: TableDescription<ComparedModel, Context> = {
  caption: "Models side by side",
  rowKey: ({ model }) => model,
  pageSize: 25,
  columns: [
    {
      heading: "Model",
      sortBy: ({ model }) => model,
      searchText: ({ model }) => model,
      cell: ({ model }, { colors }) => (
        <Group gap={8} wrap="nowrap">
          <span className="attune-dot" style={{ background: colors.get(model) }} aria-hidden />
          <Text fz="sm" fw={500} className="attune-model-name">
            {model === "" ? "No model" : <Name lines={2}>{model}</Name>}
          </Text>
        </Group>
      ),
    },
    {
      heading: "Answered",
      isNumeric: true,
      cell: (model, { range }) => <Answered model={model} range={range} />,
      sortBy: ({ calls }) => calls,
    },
    {
      heading: "Requested",
      isNumeric: true,
      isMinor: true,
      // Told where other models answered some of them.
      isShown: (_, models) => models.some(answersForOthers),
      cell: ({ model, askedCalls }, { range }) => (
        <CallsLink calls={askedCalls} range={range} filter={{ model }} what={`requesting ${model}`} />
      ),
    },
    {
      heading: "Share of calls",
      isNumeric: true,
      isMinor: true,
      figure: ({ share }) => formatPercent(share),
      cell: ({ model, share }, { colors }, figure) => <WithBar text={figure} part={share} color={colors.get(model)} />,
    },
    {
      heading: "Cost per call",
      isNumeric: true,
      sortBy: ({ costNanosPerCall }) => costNanosPerCall,
      figure: ({ costNanosPerCall }) => formatShortCost(costNanosPerCall),
      cell: ({ model, costNanosPerCall }, { colors, cost }, figure) => (
        <WithBar text={figure} part={cost === 0 ? 0 : (costNanosPerCall ?? 0) / cost} color={colors.get(model)} />
      ),
    },
    {
      heading: "First token, p50 / p95 / p99",
      isNumeric: true,
      isMinor: true,
      sortBy: ({ latency }) => latency.firstToken.p95Ms,
      cell: ({ latency }) => <Percentiles times={latency.firstToken} />,
    },
    {
      heading: "Total, p50 / p95 / p99",
      isNumeric: true,
      sortBy: ({ latency }) => latency.total.p95Ms,
      cell: ({ model, latency }, { colors, slowest }) => (
        <WithBar
          text={<Percentiles times={latency.total} />}
          part={slowest === 0 ? 0 : (latency.total.p95Ms ?? 0) / slowest}
          color={colors.get(model)}
        />
      ),
    },
    {
      heading: "Tokens/s",
      isNumeric: true,
      isMinor: true,
      sortBy: ({ tokensPerSecond }) => tokensPerSecond,
      cell: ({ tokensPerSecond }) => (
        <span title="Output tokens for each second from the request to the end of the answer">
          {tokensPerSecond === null ? NONE : tokensPerSecond.toFixed(1)}
        </span>
      ),
    },
    {
      heading: "Errors (95% interval)",
      isNumeric: true,
      sortBy: ({ errors }) => errors?.mean,
      figure: ({ errors }) =>
        errors === null
          ? NONE
          : `${formatPercent(errors.mean)}\n${formatPercent(errors.low)} – ${formatPercent(errors.high)}`,
      cell: (_row, _context, figure) => {
        const [mean, interval] = figure.split("\n");
        return (
          <Text fz="sm" className="attune-nowrap">
            {mean}
            <Text fz="xs" c="dimmed">
              {interval}
            </Text>
          </Text>
        );
      },
    },
  ],
};
