import "../../../web/figures/series.css";
import { Anchor, Box, Button, Group, Select, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconMessageHeart, IconScale } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { keepPrevious } from "../../../web/api/keep-previous.ts";
import { trpc } from "../../../web/api/trpc.ts";
import { type Range, useRange } from "../../../web/figures/range.ts";
import { RangePicker } from "../../../web/figures/range-picker.tsx";
import { RefreshButton, useRefresh } from "../../../web/figures/refresh.tsx";
import { chooseColors } from "../../../web/figures/series-colors.ts";
import { rangeLabel } from "../../../web/figures/step-label.ts";
import { useNames } from "../../../web/figures/use-names.ts";
import { EmptyState } from "../../../web/parts/empty-state.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatNumber } from "../../../web/parts/format.ts";
import { nameText } from "../../../web/parts/name-text.ts";
import { Page } from "../../../web/shell/page.tsx";
import { useProject } from "../../../web/shell/session.ts";
import { AuditsTable } from "./audits-table.tsx";
import { DeploymentsTable } from "./deployments-table.tsx";
import { KeysTable } from "./keys-table.tsx";
import { MetricCard } from "./metric-card.tsx";
import { ModelsTable } from "./models-table.tsx";
import type { Comparison } from "./types.ts";

/** Compares the models that served a workload. */
export function ModelsPage() {
  const names = useNames();
  const [range, setRange] = useRange("30d");
  const [workload, setWorkload] = useChosenWorkload();
  const refresh = useRefresh();
  const { id: projectId } = useProject();
  // That of another time or workload stays, paler, until the asked one is there.
  const comparison = useQuery(
    trpc.models.compare.queryOptions(
      { projectId, ...range, workload },
      { placeholderData: keepPrevious({ projectId }), refetchInterval: refresh.intervalMs },
    ),
  );
  return (
    <Page
      title="Models"
      lead="Quality, cost, speed and errors of models, side by side."
      actions={<RangePicker value={range} onChange={setRange} />}
    >
      <Group gap="sm">
        <WorkloadPicker workloads={names.data?.workload ?? []} value={workload} onChange={setWorkload} />
        <RefreshButton refresh={refresh} />
      </Group>
      <Observed />
      <ErrorNote error={comparison.error} onRetry={() => void comparison.refetch()} />
      {(comparison.data !== undefined || !comparison.isError) && (
        <Box className={comparison.isPlaceholderData ? "attune-stale" : ""} aria-busy={comparison.isPlaceholderData}>
          <SideBySide range={range} comparison={comparison.data} known={names.data?.servedModel ?? []} />
        </Box>
      )}
      <DeploymentsTable intervalMs={refresh.intervalMs} />
      <KeysTable intervalMs={refresh.intervalMs} />
      <AuditsTable intervalMs={refresh.intervalMs} />
    </Page>
  );
}

/** Says what the figures are, and what they are not. */
function Observed() {
  const { id } = useProject();
  return (
    <Text fz="sm" c="dimmed" maw={820}>
      Figures cover the calls that each model answered, no matter which model was requested. Those may be easier or
      harder than another model's calls, so a difference is a hint, not proof.{" "}
      <Anchor component={Link} to={`/projects/${id}/workloads`} inherit underline="always">
        Workloads
      </Anchor>{" "}
      compares models on the same kinds of prompts.
    </Text>
  );
}

interface Props {
  readonly range: Range;
  readonly comparison: Comparison | undefined;
  /** All models, in the order of their colours. */
  readonly known: readonly string[];
}

function SideBySide({ range, comparison, known }: Props) {
  if (comparison?.models.length === 0) {
    return (
      <Box className="attune-card">
        <EmptyState
          Icon={IconScale}
          title="No calls in this period"
          text="Choose a longer period or another workload. Models appear here after their first call."
        />
      </Box>
    );
  }
  const models = comparison?.models;
  const colors = chooseColors(models?.map(({ model }) => model) ?? [], known);
  return (
    <Stack gap="sm">
      <ModelsTable models={models} colors={colors} range={range} />
      {comparison === undefined ? (
        <Skeleton h={18} maw={560} />
      ) : (
        <Text fz="sm" c="dimmed">
          {rangeLabel(comparison.fromMs, comparison.toMs)}, in whole hours. Latency covers completed calls, within 4.5%.
          Cost covers calls with a known price. Canceled calls don't count as errors.
        </Text>
      )}
      <Title order={2} size="h4" mt="md">
        Quality
      </Title>
      <Text fz="sm" c="dimmed" mt={-8}>
        From feedback. The dot is the mean, and the bar is its 95% confidence interval. A narrower bar is more certain.
      </Text>
      <Metrics comparison={comparison} colors={colors} />
    </Stack>
  );
}

/** Metrics that are shown at once: those with the most feedback. */
const MOST_METRICS = 10;

function Metrics({
  comparison,
  colors,
}: {
  readonly comparison: Comparison | undefined;
  readonly colors: ReadonlyMap<string, string>;
}) {
  const [isAll, { open: showAll }] = useDisclosure(false);
  if (comparison === undefined) return <Skeleton h={200} radius={12} />;
  if (comparison.metrics.length === 0) {
    return (
      <Box className="attune-card">
        <EmptyState
          Icon={IconMessageHeart}
          title="No feedback in this period"
          text={
            <>
              Send what people think of an answer to <code>POST /v1/feedback</code>, with the id of the answer: true or
              false, or a score.
            </>
          }
        />
      </Box>
    );
  }
  const { metrics } = comparison;
  return (
    <>
      {metrics.slice(0, isAll ? metrics.length : MOST_METRICS).map((metric) => (
        <MetricCard key={`${metric.kind} ${metric.name}`} metric={metric} colors={colors} />
      ))}
      {!isAll && metrics.length > MOST_METRICS && (
        <Button variant="default" onClick={showAll}>
          Show all {formatNumber(metrics.length)} metrics
        </Button>
      )}
    </>
  );
}

/** Returns the workload that the address names, and what puts another one there. */
function useChosenWorkload(): readonly [string | undefined, (workload: string | undefined) => void] {
  const [parameters, setParameters] = useSearchParams();
  const set = (workload: string | undefined) =>
    setParameters((old) => {
      const changed = new URLSearchParams(old);
      if (workload === undefined) changed.delete("workload");
      else changed.set("workload", workload);
      return changed;
    });
  return [parameters.get("workload") ?? undefined, set];
}

interface WorkloadPickerProps {
  readonly workloads: readonly string[];
  /** undefined is all of them. */
  readonly value: string | undefined;
  readonly onChange: (workload: string | undefined) => void;
}

const ALL = "all";

/** Before each name, so that a workload may be called "all", or nothing. */
const MARK = "=";

/** Chooses the workload whose calls are compared. */
function WorkloadPicker({ workloads, value, onChange }: WorkloadPickerProps) {
  const listed = value === undefined || workloads.includes(value) ? workloads : [...workloads, value];
  return (
    <Select
      aria-label="Workload"
      data={[
        { value: ALL, label: "All workloads" },
        ...listed.map((name) => ({ value: `${MARK}${name}`, label: name === "" ? "No workload" : nameText(name) })),
      ]}
      value={value === undefined ? ALL : `${MARK}${value}`}
      onChange={(chosen) => chosen !== null && onChange(chosen === ALL ? undefined : chosen.slice(MARK.length))}
      allowDeselect={false}
      searchable={listed.length > 10}
      w={220}
    />
  );
}
