import { ActionIcon, Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDatabase, IconTrash, IconX } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useNavigate, useParams } from "react-router";
import { api } from "../../api/client.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { FeedbackMark } from "../../parts/feedback-mark.tsx";
import { formatAgo, formatNumber, formatShortCost, formatTime } from "../../parts/format.ts";
import { MoreButton } from "../../parts/more-button.tsx";
import { Name } from "../../parts/name.tsx";
import { nameText } from "../../parts/name-text.ts";
import { RequestLink } from "../../parts/request-link.tsx";
import { Page } from "../../shell/page.tsx";
import { mayAct, useProject } from "../../shell/session.ts";
import { ExportDataset } from "./export-dataset.tsx";
import { RunsPart } from "./runs-part.tsx";
import { StartRun } from "./start-run.tsx";
import { useRefreshDatasets } from "./use-datasets.ts";

const PAGE_SIZE = 50;

type Row = Awaited<ReturnType<typeof api.datasets.rows.query>>["rows"][number];

/** One dataset: its requests, and what can be done with them. */
export function DatasetPage() {
  const { datasetId = "" } = useParams();
  const project = useProject();
  const mayChange = mayAct(project, "datasets.change");
  const place = { projectId: project.id, id: datasetId };
  const refresh = useRefreshDatasets();
  const pages = useInfiniteQuery({
    queryKey: ["dataset", project.id, datasetId],
    queryFn: ({ pageParam }) =>
      api.datasets.rows.query({
        ...place,
        limit: PAGE_SIZE,
        ...(pageParam === undefined ? {} : { cursor: pageParam }),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const drop = useMutation({
    mutationFn: (inferenceId: string) => api.datasets.drop.mutate({ ...place, inferenceId }),
    onSuccess: refresh,
  });
  const dataset = pages.data?.pages[0]?.dataset;
  const rows = pages.data?.pages.flatMap((page) => page.rows);
  return (
    <Page
      title={dataset === undefined ? "Dataset" : nameText(dataset.name)}
      lead={
        dataset && `${formatNumber(dataset.rows)} ${dataset.rows === 1 ? "request" : "requests"}, the newest first.`
      }
      back={{ label: "All datasets", to: ".." }}
      actions={
        <>
          {mayChange && <RemoveDataset id={datasetId} />}
          <ExportDataset id={datasetId} />
          {mayAct(project, "datasets.run") && <StartRun datasetId={datasetId} />}
        </>
      }
    >
      <RunsPart datasetId={datasetId} />
      <ErrorNote error={pages.error} onRetry={() => void pages.refetch()} />
      {pages.error === null && (
        <DataTable
          caption="Requests of the dataset"
          columns={columnsOf(mayChange ? drop.mutate : undefined)}
          rows={rows}
          keyOf={({ id }) => id}
          empty={
            <EmptyState
              Icon={IconDatabase}
              title="No requests yet"
              text="Set filters in History, then choose Add to a dataset there."
            />
          }
        />
      )}
      <MoreButton pages={pages}>Older requests</MoreButton>
    </Page>
  );
}

function columnsOf(onDrop: ((id: string) => void) | undefined): readonly Column<Row>[] {
  const columns: readonly Column<Row>[] = [
    {
      heading: "Started",
      cell: ({ id, startedAt }) => (
        <RequestLink id={id}>
          <span title={formatTime(startedAt)} className="attune-nowrap">
            {formatAgo(startedAt)}
          </span>
        </RequestLink>
      ),
    },
    { heading: "Model", isMinor: true, cell: ({ servedModel }) => <Name>{servedModel}</Name> },
    { heading: "Prompt", isWide: true, cell: ({ prompt }) => <FirstWords text={prompt} /> },
    { heading: "Answer", isMinor: true, cell: ({ answer }) => <FirstWords text={answer} /> },
    { heading: "Feedback", cell: ({ feedback }) => feedback && <FeedbackMark {...feedback} /> },
    { heading: "Cost", isNumeric: true, isMinor: true, cell: ({ costNanos }) => formatShortCost(costNanos) },
  ];
  if (onDrop === undefined) return columns;
  return [
    ...columns,
    {
      heading: "Take out",
      isAction: true,
      cell: ({ id, startedAt }) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Take out the request of ${formatTime(startedAt)}`}
          onClick={() => onDrop(id)}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      ),
    },
  ];
}

function FirstWords({ text }: { readonly text: string }) {
  return (
    <Text fz="sm" lineClamp={2} miw={140} maw={{ sm: 280 }} style={{ overflowWrap: "anywhere" }}>
      {nameText(text)}
    </Text>
  );
}

function RemoveDataset({ id }: { readonly id: string }) {
  const { id: projectId } = useProject();
  const [isOpen, { open, close }] = useDisclosure(false);
  const navigate = useNavigate();
  const refresh = useRefreshDatasets();
  const remove = useMutation({
    mutationFn: () => api.datasets.remove.mutate({ projectId, id }),
    onSuccess: async () => {
      void navigate("..", { relative: "path" });
      await refresh();
    },
  });
  return (
    <>
      <Button variant="default" onClick={open} leftSection={<IconTrash size={16} aria-hidden />}>
        Delete
      </Button>
      <Confirm
        isOpen={isOpen}
        title="Delete the dataset"
        action="Delete the dataset"
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={close}
      >
        The requests themselves stay in the history.
      </Confirm>
    </>
  );
}
