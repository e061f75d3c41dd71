import "../../../web/figures/series.css";
import { Box, Button, Checkbox, Group, Popover, Select, Skeleton, Stack, Table, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconLayoutGrid } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { keepPrevious } from "../../../web/api/keep-previous.ts";
import { trpc } from "../../../web/api/trpc.ts";
import { type Range, useRange } from "../../../web/figures/range.ts";
import { RangePicker } from "../../../web/figures/range-picker.tsx";
import { RefreshButton, useRefresh } from "../../../web/figures/refresh.tsx";
import { perStep, rangeLabel } from "../../../web/figures/step-label.ts";
import { type Names, useNames } from "../../../web/figures/use-names.ts";
import { alignDecimals } from "../../../web/parts/align-decimals.ts";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatCost, formatShortCost } from "../../../web/parts/format.ts";
import { listSavings } from "../../../web/parts/saving-names.ts";
import { Page } from "../../../web/shell/page.tsx";
import { useProject } from "../../../web/shell/session.ts";
import { Cards, hasBefore } from "./cards.tsx";
import { chartName, chartPlans, FIRST_CHARTS } from "./chart-plans.ts";
import { Charts, hasSavings } from "./charts.tsx";
import { shownCharts, useChosenCharts } from "./chosen-charts.ts";
import type { Figures } from "./figures.ts";
import { FirstCall } from "./first-call.tsx";
import { GROUP_NAMES, useGroup } from "./groups.ts";
import { OutlooksPart } from "./outlooks-part.tsx";

/** The overview: totals and charts; before the first call, how to make it. */
export function OverviewPage() {
  const names = useNames();
  const isNew = names.data?.model.length === 0;
  const [range, setRange] = useRange("24h");
  // While the names load, the figures do too: their places are there from the start.
  const hasFigures = !isNew && !names.isError;
  return (
    <Page
      title="Overview"
      lead="Calls, cost and latency of this project."
      actions={!isNew && <RangePicker value={range} onChange={setRange} />}
    >
      <ErrorNote error={names.error} onRetry={() => void names.refetch()} />
      {isNew && <FirstCall usableKey={names.data?.usableKey ?? null} onKeyCreated={() => void names.refetch()} />}
      {hasFigures && <OutlooksPart />}
      {hasFigures && <FiguresOfTime names={names.data} range={range} onZoom={setRange} />}
    </Page>
  );
}

interface FiguresProps {
  readonly names: Names | undefined;
  readonly range: Range;
  readonly onZoom: (range: Range) => void;
}

function FiguresOfTime({ names, range, onZoom }: FiguresProps) {
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
            <Charts figures={figures.data} group={group} names={names} chosen={chosen} onZoom={onZoom} />
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
      {stepMs !== askedStepMs &&
        ` Calls can’t be shown ${perStep(askedStepMs)}: there are too many, or some were deleted.`}
    </Text>
  );
}

/** Tells by kind what was saved against plain calls, and how that is estimated; nothing where nothing was. */
function SavedPart({ figures }: { readonly figures: Figures | undefined }) {
  const kinds = listSavings(figures?.total.saved ?? {});
  if (kinds.length === 0) return null;
  const amounts = alignDecimals(kinds.map(({ nanos }) => formatShortCost(nanos)));
  return (
    <Box className="attune-card" p="md">
      <Title order={2} size="h5" mb="xs">
        Saved, by kind
      </Title>
      <Table.ScrollContainer minWidth={300} type="native">
        <Table fz="sm" verticalSpacing={6} horizontalSpacing={6} aria-label="Saved, by kind">
          <Table.Tbody>
            {kinds.map(({ kind, label, text, nanos }, at) => (
              <Table.Tr key={kind}>
                <Table.Td>
                  {label}
                  <Text fz="xs" c="dimmed">
                    {text}
                  </Text>
                </Table.Td>
                <Table.Td ta="right" title={formatCost(nanos)}>
                  {amounts[at]}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text fz="sm" c="dimmed" mt="xs">
        An estimate: each call is compared with the requested model alone at its first deployment, with the same tokens
        and the configured prices. A negative amount is an extra cost.
      </Text>
    </Box>
  );
}

interface Props {
  /** Names of the charts that there are. */
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Chooses which charts are shown: one at least, and as many as the first ones are. */
function ChooseCharts({ names, chosen, onChange }: Props) {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const shown = shownCharts(names, chosen);
  // What was chosen of charts that another grouping has is kept.
  const change = (now: readonly string[]) => onChange([...chosen.filter((name) => !names.includes(name)), ...now]);
  const isFixed = (name: string) => (shown.includes(name) ? shown.length === 1 : shown.length === FIRST_CHARTS.length);
  return (
    <Popover opened={isOpen} onChange={close} position="bottom-end" withinPortal trapFocus shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          onClick={toggle}
          aria-expanded={isOpen}
          leftSection={<IconLayoutGrid size={16} aria-hidden />}
        >
          Choose charts
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Text fz="sm" c="dimmed">
            Four at a time.
          </Text>
          <Checkbox.Group aria-label="Charts that are shown" value={[...shown]} onChange={change}>
            <Stack gap={6}>
              {names.map((name) => (
                <Checkbox key={name} size="sm" value={name} label={name} disabled={isFixed(name)} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Button size="xs" variant="default" onClick={() => change(FIRST_CHARTS)}>
            The first four
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
