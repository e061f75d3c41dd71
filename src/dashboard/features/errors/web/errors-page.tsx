import "../../../web/figures/series.css";
import { Box, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { keepPrevious } from "../../../web/api/keep-previous.ts";
import { trpc } from "../../../web/api/trpc.ts";
import { toRows } from "../../../web/figures/chart-lines.ts";
import { type Range, useRange } from "../../../web/figures/range.ts";
import { RangePicker } from "../../../web/figures/range-picker.tsx";
import { RefreshButton, useRefresh } from "../../../web/figures/refresh.tsx";
import { seriesColor } from "../../../web/figures/series-colors.ts";
import { perStep, rangeLabel } from "../../../web/figures/step-label.ts";
import { ChartWithTable } from "../../../web/parts/chart-with-table.tsx";
import { EmptyState } from "../../../web/parts/empty-state.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatNumber } from "../../../web/parts/format.ts";
import { historyPath, stepRange, windowRange } from "../../../web/parts/history-path.ts";
import { reasonText } from "../../../web/parts/reason-text.ts";
import { refusedPath } from "../../../web/parts/refused-path.ts";
import { Page } from "../../../web/shell/page.tsx";
import { useProject } from "../../../web/shell/session.ts";
import { AffectedPart } from "./affected-part.tsx";
import { ErrorCards } from "./cards.tsx";
import { ChangesPart } from "./changes-part.tsx";
import { GroupsPart } from "./groups-part.tsx";
import type { Errors } from "./types.ts";
import { WordsTable } from "./words-table.tsx";

/** Reasons that people can tell apart by colour. */
const MOST = 8;

/** Shows why calls fail: by reason, upstream, model, key and user, in the upstreams' own words. */
export function ErrorsPage() {
  const [range, setRange] = useRange("24h");
  const refresh = useRefresh();
  const { id: projectId } = useProject();
  const errors = useQuery(
    trpc.errors.summary.queryOptions(
      { projectId, ...range },
      { placeholderData: keepPrevious({ projectId }), refetchInterval: refresh.intervalMs },
    ),
  );
  return (
    <Page
      title="Errors"
      lead="Calls that failed or were refused, and why."
      actions={<RangePicker value={range} onChange={setRange} />}
    >
      <Group gap="sm">
        <RefreshButton refresh={refresh} />
      </Group>
      <ErrorNote error={errors.error} onRetry={() => void errors.refetch()} />
      {(errors.data !== undefined || !errors.isError) && (
        <Box className={errors.isPlaceholderData ? "attune-stale" : ""} aria-busy={errors.isPlaceholderData}>
          <Summary
            errors={errors.data}
            range={range}
            groups={<GroupsPart range={range} intervalMs={refresh.intervalMs} />}
          />
        </Box>
      )}
    </Page>
  );
}

interface SummaryProps {
  readonly errors: Errors | undefined;
  readonly range: Range;
  readonly groups: ReactNode;
}

function Summary({ errors, range: chosen, groups }: SummaryProps) {
  // Their rows are looked for in the time that the figures are of.
  const range = errors === undefined ? chosen : windowRange(errors);
  const isQuiet = errors !== undefined && errors.failed + errors.refused === 0;
  return (
    <Stack gap="md">
      <ErrorCards errors={errors} range={range} />
      {errors === undefined ? (
        <Skeleton h={18} maw={480} />
      ) : (
        <Text fz="sm" c="dimmed">
          {rangeLabel(errors.fromMs, errors.toMs)}. Canceled calls don't count as failures.
        </Text>
      )}
      {isQuiet ? (
        <Box className="attune-card">
          <EmptyState
            Icon={IconCircleCheck}
            title="No failed or refused calls"
            text={
              errors.calls === 0
                ? "There were no calls in this period. Choose a longer period, or send a call."
                : `All ${formatNumber(errors.calls)} calls in this period were answered or canceled by the caller.`
            }
          />
        </Box>
      ) : (
        <>
          <ReasonsChart errors={errors} />
          <ChangesPart changes={errors?.changes} />
          <Part title="Upstream messages" note={readNote(errors)}>
            <WordsTable words={errors?.words} range={range} />
          </Part>
          {groups}
          <AffectedPart errors={errors} range={range} />
        </>
      )}
    </Stack>
  );
}

interface PartProps {
  readonly title: string;
  readonly note: string | undefined;
  readonly children: ReactNode;
}

function Part({ title, note, children }: PartProps) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4" mt="xs">
        {title}
      </Title>
      {note !== undefined && (
        <Text fz="sm" c="dimmed" mt={-6}>
          {note}
        </Text>
      )}
      {children}
    </Stack>
  );
}

function readNote(errors: Errors | undefined): string {
  const same = "Messages that differ only in numbers and ids are one row.";
  if (errors === undefined || errors.read >= errors.failed) return same;
  return `Of the latest ${formatNumber(errors.read)} failed calls. ${same}`;
}

/** Failed and refused calls over time, a colour for each reason. */
function ReasonsChart({ errors }: { readonly errors: Errors | undefined }) {
  const { id: projectId } = useProject();
  const shown = errors?.series.slice(0, MOST) ?? [];
  const lines = shown.map(({ reason, isRefused, calls }, at) => ({
    name: `s${at}`,
    label: isRefused ? `refused: ${reasonText(reason)}` : reasonText(reason),
    color: seriesColor(at),
    values: calls,
  }));
  const findPath = (row: number, name: string) => {
    const series = shown[Number(name.slice(1))];
    const startMs = errors?.buckets[row]?.startMs;
    if (errors === undefined || series === undefined || startMs === undefined) return undefined;
    const step = stepRange(startMs, errors.stepMs);
    if (series.isRefused) return refusedPath(projectId, step, { reason: series.reason });
    return historyPath(projectId, step, { status: "failed", reason: series.reason });
  };
  return (
    <ChartWithTable
      title="Failed and refused calls"
      unit={errors === undefined ? "calls" : `calls ${perStep(errors.stepMs)}. Click a bar to see its calls`}
      kind="bar"
      series={lines}
      rows={errors && toRows(lines, errors)}
      format={(value) => formatNumber(value)}
      emptyText="No failed or refused calls."
      findPath={findPath}
    />
  );
}
