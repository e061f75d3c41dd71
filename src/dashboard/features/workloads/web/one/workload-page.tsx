import "../../../../web/figures/series.css";
import "../workloads.css";
import { Alert, Box, Group, Skeleton, Stack, Tabs, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useLocation, useParams, useSearchParams } from "react-router";
import { describeFinding } from "../../../../../vocabulary/finding.ts";
import { describeOutlook, titleOutlooks } from "../../../../../vocabulary/outlook.ts";
import { keepPrevious } from "../../../../web/api/keep-previous.ts";
import { trpc } from "../../../../web/api/trpc.ts";
import { useRange } from "../../../../web/figures/range.ts";
import { RangePicker } from "../../../../web/figures/range-picker.tsx";
import { ErrorNote } from "../../../../web/parts/error-note.tsx";
import { nameText } from "../../../../web/parts/name-text.ts";
import { Page } from "../../../../web/shell/page.tsx";
import { useProject } from "../../../../web/shell/session.ts";
import { WorkloadControls } from "../controls/workload-controls.tsx";
import { LEARNED_REFRESH_MS } from "../learned-refresh.ts";
import { TurnOnButton } from "../mode-button.tsx";
import { standingText } from "../standing.ts";
import { StandingBadge } from "../standing-badge.tsx";
import type { WorkloadDetails } from "../types.ts";
import { EstimatedCards, MeasuredCards } from "./cards.tsx";
import { CourseChart } from "./course-chart.tsx";
import { EventsPart } from "./events-part.tsx";
import { FamiliesTable } from "./families-table.tsx";
import { ImprovementPart } from "./improvement-part.tsx";
import { LatenciesPart } from "./latencies-part.tsx";
import { ModelsOfWorkload } from "./models-table.tsx";
import { RegretBudgetsPart } from "./regret-budgets-part.tsx";
import { SelectorPart } from "./selector-part.tsx";
import { ShadowPart } from "./shadow-part.tsx";
import { StopButton } from "./stop-button.tsx";
import { UsageCharts } from "./usage-charts.tsx";
import { whatIsLearned } from "./what-is-learned.ts";

/** The parts of the page, the first of them where the address names none. */
const TABS = [
  { value: "summary", label: "Summary" },
  { value: "evidence", label: "Evidence" },
  { value: "history", label: "History" },
  { value: "settings", label: "Settings" },
] as const;

/** Returns the part that the address names, and what puts another one there, so that it can be sent on. */
function useTab(): readonly [string, (value: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const found = TABS.find(({ value }) => value === parameters.get("tab")) ?? TABS[0];
  const set = useCallback(
    (value: string) =>
      setParameters(
        (old) => {
          const changed = new URLSearchParams(old);
          changed.set("tab", value);
          return changed;
        },
        { replace: true },
      ),
    [setParameters],
  );
  return [found.value, set];
}

/** One workload: what is learned, who does better than base, what guards it, what happened, and what can be done. */
export function WorkloadPage() {
  const { model = "" } = useParams();
  const { search } = useLocation();
  const [range, setRange] = useRange("30d");
  const { id: projectId } = useProject();
  const workload = useQuery(
    trpc.learning.read.queryOptions(
      { projectId, model, ...range },
      // That of another workload is no stand-in for this one.
      { placeholderData: keepPrevious({ projectId, model }), refetchInterval: LEARNED_REFRESH_MS },
    ),
  );
  const found = workload.data;
  return (
    <Page
      title={nameText(model)}
      lead={
        found !== undefined && (
          <Group gap="xs" component="span">
            <StandingBadge standing={found.standing} mode={found.holds.mode} />
            <span>{standingText({ standing: found.standing, mode: found.holds.mode })}</span>
          </Group>
        )
      }
      back={{ label: "All workloads", to: { pathname: "..", search } }}
      actions={
        <>
          {found !== undefined && <StopButton workload={found} />}
          <RangePicker value={range} onChange={setRange} />
        </>
      }
    >
      <ErrorNote error={workload.error} onRetry={() => void workload.refetch()} />
      {found === undefined && !workload.isError && <Skeleton h={400} radius="md" />}
      {found !== undefined && (
        <Box className={workload.isPlaceholderData ? "attune-stale" : ""} aria-busy={workload.isPlaceholderData}>
          <Parts workload={found} />
        </Box>
      )}
    </Page>
  );
}

/** Returns whether a model answers in base's place in some family of prompts. */
function isAnswering({ standing, learned }: WorkloadDetails, model: string): boolean {
  const isServing = standing === "routed" || standing === "exploring";
  return isServing && learned?.families.some(({ chosen }) => chosen === model) === true;
}

function Parts({ workload }: { readonly workload: WorkloadDetails }) {
  const [tab, setTab] = useTab();
  return (
    <Stack gap="lg">
      {workload.learned?.unreadable != null && (
        <Alert color="red" title="The learned state is unreadable">
          {workload.learned.unreadable}. Learning starts over with the next feedback. To learn again from the records,
          start a rebuild on the page of all workloads.
        </Alert>
      )}
      <Tabs value={tab} onChange={(value) => value !== null && setTab(value)} keepMounted={false}>
        <Tabs.List mb="lg">
          {TABS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="summary">
          <Summary workload={workload} />
        </Tabs.Panel>
        <Tabs.Panel value="evidence">
          <Evidence workload={workload} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <EventsPart model={workload.model} />
        </Tabs.Panel>
        {/* What is not saved yet survives a look at the evidence. */}
        <Tabs.Panel value="settings" keepMounted>
          <Box maw={960}>
            <WorkloadControls workload={workload} />
          </Box>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

/** Figures as measured, and as estimated of what would happen. */
function Summary({ workload }: { readonly workload: WorkloadDetails }) {
  const { learned } = workload;
  return (
    <Stack gap="lg">
      <Stack gap="xs" role="group" aria-label="Measured">
        <PartTitle title="Measured" text="Actual calls in this period." />
        <MeasuredCards workload={workload} />
      </Stack>
      {!workload.isMadeUp && (
        <Stack gap="xs" role="group" aria-label="Estimated">
          <PartTitle title="Estimated" text="What feedback and grades say about the models, with their uncertainty." />
          {learned?.finding != null && (
            <Text maw={820} fz="sm" fw={500}>
              {describeFinding(
                { ...learned.finding, model: nameText(learned.finding.model) },
                {
                  baseNanos: workload.usage.total.baseCostNanos,
                  isAnswering: isAnswering(workload, learned.finding.model),
                },
              )}
            </Text>
          )}
          <EstimatedCards workload={workload} />
          {learned?.outlook != null && workload.holds.mode === "observe" && (
            <Alert color="indigo" title={titleOutlooks([learned.outlook])}>
              <Group justify="space-between" gap="xs">
                <Text fz="sm" style={{ flex: "1 1 16rem" }}>
                  On would have answered {describeOutlook(learned.outlook)}, by {learned.outlook.rewards} rewards. By
                  command: <code>attune workloads mode on --model {nameText(workload.model)}</code>
                </Text>
                <TurnOnButton model={workload.model} />
              </Group>
            </Alert>
          )}
        </Stack>
      )}
      <Text maw={820} fz="sm" c="dimmed">
        {whatIsLearned(workload)}
      </Text>
      <UsageCharts usage={workload.usage} />
    </Stack>
  );
}

function PartTitle({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <Group gap="xs" align="baseline">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text fz="sm" c="dimmed">
        {text}
      </Text>
    </Group>
  );
}

/** The models and what is known of each, with where it comes from. */
function Evidence({ workload }: { readonly workload: WorkloadDetails }) {
  const { learned } = workload;
  const figures = learned?.figures ?? null;
  return (
    <Stack gap="lg">
      <CourseChart workload={workload} />
      {figures !== null && <ModelsOfWorkload figures={figures} holds={workload.holds} />}
      {learned !== null && learned.families.length > 0 && <FamiliesTable learned={learned} />}
      {figures !== null && <RegretBudgetsPart accounts={figures.accounts} course={workload.course} />}
      {learned?.selection != null && <SelectorPart selection={learned.selection} holds={workload.holds} />}
      {learned !== null && learned.latencies.length > 0 && (
        <LatenciesPart latencies={learned.latencies} base={workload.model} />
      )}
      <ShadowPart shadow={workload.shadow} judge={learned?.judge ?? null} />
      {workload.isServed && !workload.isMadeUp && <ImprovementPart model={workload.model} />}
    </Stack>
  );
}
