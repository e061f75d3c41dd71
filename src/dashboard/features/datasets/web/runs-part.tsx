import { Anchor, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { trpc } from "../../../web/api/trpc.ts";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatNumber, formatShortCost, formatTime } from "../../../web/parts/format.ts";
import { Name } from "../../../web/parts/name.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { useProject } from "../../../web/shell/session.ts";
import { RUN_REFRESH_MS, type Run, stateText } from "./run.ts";

const TABLE: TableDescription<Run> = {
  caption: "Runs of the dataset",
  rowKey: ({ id }) => id,
  columns: [
    {
      heading: "Models",
      cell: ({ id, models }) => (
        <Anchor component={Link} to={`runs/${id}`} fz="sm">
          {models.map(nameText).join(" and ")}
        </Anchor>
      ),
    },
    { heading: "State", cell: stateText },
    { heading: "Requests", isNumeric: true, cell: ({ requests }) => formatNumber(requests) },
    {
      heading: "Estimated",
      isNumeric: true,
      isMinor: true,
      cell: ({ estimatedNanos }) => formatShortCost(estimatedNanos),
    },
    { heading: "Started", isMinor: true, cell: ({ createdAt }) => formatTime(createdAt) },
    { heading: "By", isMinor: true, cell: ({ createdBy }) => <Name>{createdBy}</Name> },
  ],
};

/** Lists the runs of a dataset; nothing where there is none. */
export function RunsPart({ datasetId }: { readonly datasetId: string }) {
  const { id: projectId } = useProject();
  const { data, error, refetch } = useQuery(
    trpc.datasetRuns.list.queryOptions(
      { projectId, id: datasetId },
      {
        refetchInterval: ({ state }) => state.data?.runs.some((run) => run.state === "running") && RUN_REFRESH_MS,
      },
    ),
  );
  if (error === null && (data === undefined || data.runs.length === 0)) return null;
  return (
    <Stack gap="xs" component="section" aria-label="Runs">
      <Title order={2} size="h5">
        Runs
      </Title>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {data !== undefined && <DataTable table={TABLE} rows={data.runs} />}
    </Stack>
  );
}
