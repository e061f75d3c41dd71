import { Anchor, Stack, Title } from "@mantine/core";
import { Link } from "react-router";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { formatNumber, formatShortCost, formatTime } from "../../parts/format.ts";
import { Name } from "../../parts/name.tsx";
import { nameText } from "../../parts/name-text.ts";
import { type Run, stateText, useRuns } from "./use-runs.ts";

const COLUMNS: readonly Column<Run>[] = [
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
];

/** Lists the runs of a dataset; nothing where there is none. */
export function RunsPart({ datasetId }: { readonly datasetId: string }) {
  const { data, error, refetch } = useRuns(datasetId);
  if (error === null && (data === undefined || data.runs.length === 0)) return null;
  return (
    <Stack gap="xs" component="section" aria-label="Runs">
      <Title order={2} size="h5">
        Runs
      </Title>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {data !== undefined && (
        <DataTable caption="Runs of the dataset" columns={COLUMNS} rows={data.runs} keyOf={({ id }) => id} />
      )}
    </Stack>
  );
}
