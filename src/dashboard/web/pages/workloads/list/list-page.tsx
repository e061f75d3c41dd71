import "../../../figures/series.css";
import "../workloads.css";
import { Box, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { keepPrevious } from "../../../api/keep-previous.ts";
import { trpc } from "../../../api/trpc.ts";
import { useRange } from "../../../figures/range.ts";
import { RangePicker } from "../../../figures/range-picker.tsx";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { Page } from "../../../shell/page.tsx";
import { useProject } from "../../../shell/session.ts";
import { entriesOptions } from "../../feedback/entries-options.ts";
import { ProjectControls } from "../controls/project-controls.tsx";
import { LEARNED_REFRESH_MS } from "../learned-refresh.ts";
import { FirstFeedback } from "./first-feedback.tsx";
import { LabelCalls } from "./label-calls.tsx";
import { LearnedTable } from "./learned-table.tsx";
import { NamesChart } from "./names-chart.tsx";
import { NamesTable } from "./names-table.tsx";

const NAMES_REFRESH_MS = 30_000;

/** Every workload of the project, and what its calls are named. */
export function ListPage() {
  const [range, setRange] = useRange("30d");
  const { id: projectId } = useProject();
  const placeholderData = keepPrevious({ projectId });
  const learned = useQuery(
    trpc.learning.list.queryOptions({ projectId, ...range }, { placeholderData, refetchInterval: LEARNED_REFRESH_MS }),
  );
  const named = useQuery(
    trpc.workloads.list.queryOptions({ projectId, ...range }, { placeholderData, refetchInterval: NAMES_REFRESH_MS }),
  );
  const feedback = useInfiniteQuery(entriesOptions(projectId));
  const names = named.data?.workloads;
  const hasNames = names?.some(({ workload }) => workload !== "") ?? true;
  const hasNoFeedback = feedback.data?.pages[0]?.entries.length === 0;
  return (
    <Page
      title="Workloads"
      lead={
        "A workload is this project's calls of one model, its base. Feedback decides whether another model " +
        "answers them better."
      }
      actions={<RangePicker value={range} onChange={setRange} />}
    >
      <ErrorNote error={learned.error ?? named.error} onRetry={() => void retry()} />
      <Stack gap="lg">
        {learned.data !== undefined && <ProjectControls list={learned.data} />}
        {(learned.data !== undefined || !learned.isError) && (
          <Box className={learned.isPlaceholderData ? "attune-stale" : ""} aria-busy={learned.isPlaceholderData}>
            <LearnedTable list={learned.data} />
          </Box>
        )}
        {hasNoFeedback && <FirstFeedback />}
        <Box>
          <Title order={2} size="h4">
            By name
          </Title>
          <Text fz="sm" c="dimmed">
            Names of calls, across all models. Each name is a kind of prompt of its own: Attune finds the best model for
            each.
          </Text>
        </Box>
        {!hasNames && <LabelCalls isFirst />}
        {names?.length !== 0 && (
          <>
            <NamesChart found={named.data} />
            <NamesTable workloads={names} />
          </>
        )}
        {hasNames && names !== undefined && <LabelCalls isFirst={false} />}
      </Stack>
    </Page>
  );

  async function retry(): Promise<void> {
    await Promise.all([learned.refetch(), named.refetch()]);
  }
}
