import { Anchor, Button, Group, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconDatabase } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { Link } from "react-router";
import { api } from "../../api/client.ts";
import { fieldErrors } from "../../api/errors.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { formatAgo, formatNumber, formatTime } from "../../parts/format.ts";
import { Name } from "../../parts/name.tsx";
import { nameText } from "../../parts/name-text.ts";
import { Page } from "../../shell/page.tsx";
import { mayAct, useProject } from "../../shell/session.ts";
import { type DatasetSummary, useDatasets, useRefreshDatasets } from "./use-datasets.ts";

const COLUMNS: readonly Column<DatasetSummary>[] = [
  {
    heading: "Name",
    cell: ({ id, name }) => (
      <Anchor component={Link} to={id} fz="sm" fw={500}>
        {nameText(name)}
      </Anchor>
    ),
    sortBy: ({ name }) => name,
  },
  { heading: "Requests", isNumeric: true, cell: ({ rows }) => formatNumber(rows), sortBy: ({ rows }) => rows },
  { heading: "Created by", isMinor: true, cell: ({ createdBy }) => <Name>{createdBy}</Name> },
  {
    heading: "Created",
    isMinor: true,
    cell: ({ createdAt }) => <span title={formatTime(createdAt)}>{formatAgo(createdAt)}</span>,
    sortBy: ({ createdAt }) => createdAt,
  },
];

/** Lists the datasets of the project, and makes new ones. */
export function ListPage() {
  const datasets = useDatasets();
  const mayChange = mayAct(useProject(), "datasets.change");
  return (
    <Page
      title="Datasets"
      lead={
        "Requests under a name, exported as training data with their feedback. " +
        "Their texts are deleted when those of the requests are."
      }
    >
      {mayChange && <CreateForm />}
      <ErrorNote error={datasets.error} onRetry={() => void datasets.refetch()} />
      {datasets.error === null && (
        <DataTable
          caption="Datasets"
          columns={COLUMNS}
          rows={datasets.data}
          keyOf={({ id }) => id}
          textOf={({ name }) => name}
          empty={
            <EmptyState
              Icon={IconDatabase}
              title="No datasets yet"
              text={
                "Set filters in History and choose Add to a dataset there, which makes one too. " +
                "The page of a request has the same button."
              }
            />
          }
        />
      )}
    </Page>
  );
}

function CreateForm() {
  const { id: projectId } = useProject();
  const refresh = useRefreshDatasets();
  const form = useForm({ initialValues: { name: "" } });
  const create = useMutation({
    mutationFn: (name: string) => api.datasets.create.mutate({ projectId, name }),
    onSuccess: async () => {
      form.reset();
      await refresh();
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <form onSubmit={form.onSubmit(({ name }) => create.mutate(name.trim()))}>
      <Group gap="sm" align="flex-end">
        <TextInput
          label="New dataset"
          placeholder="Good answers of support"
          maxLength={100}
          required
          withAsterisk={false}
          w={320}
          maw="100%"
          {...form.getInputProps("name")}
        />
        <Button type="submit" loading={create.isPending}>
          Create
        </Button>
      </Group>
    </form>
  );
}
