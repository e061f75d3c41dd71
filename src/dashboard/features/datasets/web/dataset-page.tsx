import { ActionIcon, Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDatabase, IconTrash, IconX } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useNavigate, useParams } from "react-router";
import { isMissing } from "../../../web/api/errors.ts";
import { type Outputs, trpc } from "../../../web/api/trpc.ts";
import { Confirm } from "../../../web/parts/confirm.tsx";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { EmptyState } from "../../../web/parts/empty-state.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { FeedbackMark } from "../../../web/parts/feedback-mark.tsx";
import { formatAgo, formatNumber, formatShortCost, formatTime } from "../../../web/parts/format.ts";
import { MoreButton } from "../../../web/parts/more-button.tsx";
import { Name } from "../../../web/parts/name.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { RequestLink } from "../../../web/parts/request-link.tsx";
import { NotFound } from "../../../web/shell/not-found.tsx";
import { Page } from "../../../web/shell/page.tsx";
import { mayAct, useProject } from "../../../web/shell/session.ts";
import { ExportDataset } from "./export-dataset.tsx";
import { RunsPart } from "./runs-part.tsx";
import { StartRun } from "./start-run.tsx";

const PAGE_SIZE = 50;

type Row = Outputs["datasets"]["rows"]["rows"][number];

/** One dataset: its requests, and what can be done with them. */
export function DatasetPage() {
  const { datasetId = "" } = useParams();
  const project = useProject();
  const mayChange = mayAct(project, "datasets.change");
  const place = { projectId: project.id, id: datasetId };
  const pages = useInfiniteQuery(
    trpc.datasets.rows.infiniteQueryOptions({ ...place, limit: PAGE_SIZE }, { getNextPageParam: ({ next }) => next }),
  );
  const drop = useMutation(trpc.datasets.drop.mutationOptions());
  const dataset = pages.data?.pages[0]?.dataset;
  const rows = pages.data?.pages.flatMap((page) => page.rows);
  if (isMissing(pages.error)) return <NotFound />;
  return (
    <Page
      title={dataset === undefined ? "Dataset" : nameText(dataset.name)}
      lead={dataset && `${formatNumber(dataset.rows)} ${dataset.rows === 1 ? "request" : "requests"}, newest first`}
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
          table={TABLE}
          rows={rows}
          context={{ drop: mayChange ? (inferenceId) => drop.mutate({ ...place, inferenceId }) : undefined }}
        />
      )}
      <MoreButton pages={pages}>Older requests</MoreButton>
    </Page>
  );
}

interface Context {
  /** Takes a request out; given to people who may. */
  readonly drop: ((id: string) => void) | undefined;
}

const TABLE: TableDescription<Row, Context> = {
  caption: "Requests of the dataset",
  rowKey: ({ id }) => id,
  empty: (
    <EmptyState
      Icon={IconDatabase}
      title="No requests yet"
      text="Set filters in History, then choose Add to a dataset there."
    />
  ),
  columns: [
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
    {
      heading: "Remove",
      isAction: true,
      isShown: ({ drop }) => drop !== undefined,
      cell: ({ id, startedAt }, { drop }) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Remove the request of ${formatTime(startedAt)}`}
          onClick={() => drop?.(id)}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      ),
    },
  ],
};

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
  const remove = useMutation(
    trpc.datasets.remove.mutationOptions({
      // The rows of one that is gone are not asked for again.
      meta: { changes: [trpc.datasets.list.pathFilter()] },
      onSuccess: () => navigate("..", { relative: "path" }),
    }),
  );
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
        onConfirm={() => remove.mutate({ projectId, id })}
        onClose={close}
      >
        The requests themselves stay in the history.
      </Confirm>
    </>
  );
}
