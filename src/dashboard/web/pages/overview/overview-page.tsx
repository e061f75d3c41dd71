import "../../figures/series.css";
import { Box, Group, Select, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { keepPrevious } from "../../api/keep-previous.ts";
import { trpc } from "../../api/trpc.ts";
import { type Range, useRange } from "../../figures/range.ts";
import { RangePicker } from "../../figures/range-picker.tsx";
import { RefreshButton, useRefresh } from "../../figures/refresh.tsx";
import { perStep, rangeLabel } from "../../figures/step-label.ts";
import { type Names, useNames } from "../../figures/use-names.ts";
import { ErrorNote } from "../../parts/error-note.tsx";
import { Page } from "../../shell/page.tsx";
import { useProject } from "../../shell/session.ts";
import { Cards, hasBefore } from "./cards.tsx";
import { chartName, chartPlans } from "./chart-plans.ts";
import { Charts, hasSavings } from "./charts.tsx";
import { ChooseCharts } from "./choose-charts.tsx";
import { useChosenCharts } from "./chosen-charts.ts";
import type { Figures } from "./figures.ts";
import { FirstCall } from "./first-call.tsx";
import { GROUP_NAMES, useGroup } from "./groups.ts";
import { OutlooksPart } from "./outlooks-part.tsx";
import { SavedPart } from "./saved-part.tsx";

/** The overview: totals and charts; before the first call, how to make it. */
export function OverviewPage() {
  const names = useNames();
  const isNew = names.data?.model.length === 0;
  const [range, setRange] = useRange("24h");
  const hasFigures = names.data !== undefined && !isNew;
  return (
    <Page
      title="Overview"
      lead="Calls, cost and latency of this project."
      actions={hasFigures && <RangePicker value={range} onChange={setRange} />}
    >
      <ErrorNote error={names.error} onRetry={() => void names.refetch()} />
      {isNew && <FirstCall usableKey={names.data?.usableKey ?? null} onKeyCreated={() => void names.refetch()} />}
      {names.isPending && <Skeleton h={36} maw={480} />}
      {hasFigures && <OutlooksPart />}
      {hasFigures && <FiguresOfTime names={names.data} range={range} />}
    </Page>
  );
}

function FiguresOfTime({ names, range }: { readonly names: Names; readonly range: Range }) {
  const [group, setGroup] = useGroup();
  const [chosen, setChosen] = useChosenCharts();
  const refresh = useRefresh();
  const { id: projectId } = useProject();
  const figures = useQuery(
    trpc.overview.figures.queryOptions(
      { projectId, ...range, group },
      { placeholderData: keepPrevious({ projectId }), refetchInterval: refresh.intervalMs },
    ),
  );
  return (
    <Stack gap="md">
      <Group gap="sm">
        <Select
          aria-label="Charts"
          data={GROUP_NAMES.map(({ value, label }) => ({ value, label }))}
          value={group}
          onChange={(value) => value !== null && setGroup(value)}
          allowDeselect={false}
          w={160}
        />
        <ChooseCharts
          names={chartPlans(group, hasSavings(figures.data)).map(chartName)}
          chosen={chosen}
          onChange={setChosen}
        />
        <RefreshButton refresh={refresh} />
      </Group>
      <ErrorNote error={figures.error} onRetry={() => void figures.refetch()} />
      <Box className={figures.isPlaceholderData ? "attune-stale" : ""} aria-busy={figures.isPlaceholderData}>
        {figures.data === undefined && figures.isError ? null : (
          <Stack gap="sm">
            <Cards figures={figures.data} />
            <TimeNote figures={figures.data} />
            <Charts figures={figures.data} group={group} names={names} chosen={chosen} />
            <SavedPart figures={figures.data} />
          </Stack>
        )}
      </Box>
    </Stack>
  );
}

/** Says which time the figures are of, and how to read them. */
function TimeNote({ figures }: { readonly figures: Figures | undefined }) {
  if (figures === undefined) return <Skeleton h={18} maw={560} />;
  const { fromMs, toMs, stepMs, askedStepMs } = figures;
  return (
    <Text fz="sm" c="dimmed">
      {rangeLabel(fromMs, toMs)}.{" "}
      {hasBefore(figures)
        ? "“More” and “less” compare with the period before, without the hour that is still running."
        : "There were no calls in the period before."}{" "}
      Steps marked * are not complete.
      {stepMs !== askedStepMs && ` There are too many calls to show them ${perStep(askedStepMs)}.`}
    </Text>
  );
}
