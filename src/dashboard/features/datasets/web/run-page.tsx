import { Button, Progress, SimpleGrid, Stack, Text } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useParams } from "react-router";
import { isMissing } from "../../../web/api/errors.ts";
import { type Outputs, trpc } from "../../../web/api/trpc.ts";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatDuration, formatNumber, formatShortCost } from "../../../web/parts/format.ts";
import { MoreButton } from "../../../web/parts/more-button.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { StatCard } from "../../../web/parts/stat-card.tsx";
import { NotFound } from "../../../web/shell/not-found.tsx";
import { Page } from "../../../web/shell/page.tsx";
import { mayAct, useProject } from "../../../web/shell/session.ts";
import { PairView } from "./pair-view.tsx";
import { RUN_REFRESH_MS, stateText } from "./run.ts";
import { runVerdict } from "./run-verdict.ts";
import { SidesTable } from "./sides-table.tsx";

/** One run of a dataset: its progress, its totals, and the answers side by side. */
export function RunPage() {
  const { runId = "" } = useParams();
  const project = useProject();
  const place = { projectId: project.id, id: runId };
  const { data, error, refetch } = useQuery(
    trpc.datasetRuns.read.queryOptions(place, {
      refetchInterval: ({ state }) => state.data?.run.state === "running" && RUN_REFRESH_MS,
    }),
  );
  const cancel = useMutation(trpc.datasetRuns.cancel.mutationOptions());
  const isRunning = data?.run.state === "running";
  const verdict = data && runVerdict(data.run.models, data.totals);
  if (isMissing(error)) return <NotFound />;
  return (
    <Page
      title={data === undefined ? "Run" : data.run.models.map(nameText).join(" and ")}
      lead={data && `${stateText(data.run)}. Its calls count toward the project's budgets, but not its figures.`}
      back={{ label: "The dataset", to: "../.." }}
      actions={
        isRunning &&
        mayAct(project, "datasets.run") && (
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(place)}>
            Cancel the run
          </Button>
        )
      }
    >
      <ErrorNote error={error ?? cancel.error} onRetry={() => void refetch()} />
      {data !== undefined && (
        <>
          <Stack gap={4}>
            <Text fz="sm" role="status">
              {formatNumber(data.totals.done)} of {formatNumber(data.run.requests)} requests
            </Text>
            <Progress
              value={(100 * data.totals.done) / Math.max(1, data.run.requests)}
              animated={isRunning}
              aria-label="Requests sent"
            />
          </Stack>
          <Totals {...data} />
          {verdict !== undefined && <Text fz="sm">{verdict}</Text>}
          <SidesTable models={data.run.models} totals={data.totals} />
          <Pairs runId={runId} models={data.run.models} done={data.totals.done} />
        </>
      )}
    </Page>
  );
}

type Read = Outputs["datasetRuns"]["read"];

function Totals({ run, totals }: Read) {
  const [first, second] = totals.sides;
  const spent = (first?.costNanos ?? 0) + (second?.costNanos ?? 0) + (totals.gradeNanos ?? 0);
  const tookMs = new Date(run.endedAt ?? Date.now()).getTime() - new Date(run.createdAt).getTime();
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
      <StatCard label={`${nameText(run.models[0])} wins`} value={formatNumber(first?.wins)} />
      <StatCard label={`${nameText(run.models[1])} wins`} value={formatNumber(second?.wins)} />
      <StatCard label="Ties" value={formatNumber(totals.ties)} note={notCompared(totals)} />
      <StatCard
        label="Spent"
        value={formatShortCost(spent)}
        note={`${formatShortCost(run.estimatedNanos)} estimated; ran for ${formatDuration(tookMs)}`}
      />
    </SimpleGrid>
  );
}

/** Says which requests compare nothing. */
function notCompared({ skipped, unanswered }: Read["totals"]): string | undefined {
  const parts = [
    ...(unanswered > 0 ? [`${formatNumber(unanswered)} failed on both sides`] : []),
    ...(skipped > 0 ? [`${formatNumber(skipped)} couldn't be sent again`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(", ");
}

interface PairsProps {
  readonly runId: string;
  readonly models: readonly [string, string];
  /** Requests that are answered: what is shown is read again when there are more. */
  readonly done: number;
}

function Pairs({ runId, models, done }: PairsProps) {
  const { id: projectId } = useProject();
  const pages = useInfiniteQuery(
    trpc.datasetRuns.answers.infiniteQueryOptions(
      { projectId, id: runId },
      { getNextPageParam: ({ next }) => next, staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  const { refetch } = pages;
  const readFor = useRef(done);
  useEffect(() => {
    if (readFor.current === done) return;
    readFor.current = done;
    void refetch();
  }, [done, refetch]);
  const pairs = pages.data?.pages.flatMap((page) => page.pairs) ?? [];
  return (
    <Stack gap="md">
      <ErrorNote error={pages.error} onRetry={() => void pages.refetch()} />
      {pairs.map((pair) => (
        <PairView key={pair.inferenceId} pair={pair} models={models} />
      ))}
      <MoreButton pages={pages}>Older requests</MoreButton>
    </Stack>
  );
}
