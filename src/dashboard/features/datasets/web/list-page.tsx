import { Anchor, Button, Modal, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDatabase, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "react-router";
import { type Outputs, trpc } from "../../../web/api/trpc.ts";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { DialogForm } from "../../../web/parts/dialog-form.tsx";
import { EmptyState } from "../../../web/parts/empty-state.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatAgo, formatNumber, formatTime } from "../../../web/parts/format.ts";
import { Name } from "../../../web/parts/name.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { useOperationForm } from "../../../web/parts/use-operation-form.ts";
import { Page } from "../../../web/shell/page.tsx";
import { mayAct, useProject } from "../../../web/shell/session.ts";

const TABLE: TableDescription<Outputs["datasets"]["list"][number]> = {
  caption: "Datasets",
  rowKey: ({ id }) => id,
  empty: (
    <EmptyState
      Icon={IconDatabase}
      title="No datasets yet"
      text={
        "Filter requests in History, then choose Add to a dataset. It creates one if needed. " +
        "The page of a request has the same button."
      }
    />
  ),
  columns: [
    {
      heading: "Name",
      searchText: ({ name }) => name,
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
  ],
};

/** Lists the datasets of the project, and makes new ones. */
export function ListPage() {
  const project = useProject();
  const datasets = useQuery(trpc.datasets.list.queryOptions({ projectId: project.id }));
  const mayChange = mayAct(project, "datasets.change");
  return (
    <Page
      title="Datasets"
      lead={
        "Named sets of requests to run against other models or to export as training data. " +
        "Retention deletes their texts along with the requests."
      }
      actions={mayChange && <CreateDataset />}
    >
      <ErrorNote error={datasets.error} onRetry={() => void datasets.refetch()} />
      {datasets.error === null && <DataTable table={TABLE} rows={datasets.data} />}
    </Page>
  );
}

/** Asks for the name of a new dataset, and opens it. */
function CreateDataset() {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button onClick={open} leftSection={<IconPlus size={16} aria-hidden />}>
        Create a dataset
      </Button>
      <Modal opened={isOpen} onClose={close} title="Create a dataset">
        <CreateForm onClose={close} />
      </Modal>
    </>
  );
}

function CreateForm({ onClose }: { readonly onClose: () => void }) {
  const { id: projectId } = useProject();
  const navigate = useNavigate();
  const { form, state } = useOperationForm({
    initialValues: { name: "" },
    operation: trpc.datasets.create.mutationOptions({ onSuccess: ({ id }) => navigate(id) }),
    toInput: ({ name }) => ({ projectId, name: name.trim() }),
  });
  return (
    <DialogForm action="Create" onCancel={onClose} {...state}>
      <TextInput
        label="Name"
        placeholder="Good answers of support"
        maxLength={100}
        required
        data-autofocus
        {...form.getInputProps("name")}
      />
    </DialogForm>
  );
}
