import { Button, Text } from "@mantine/core";
import { IconPlus, IconTag } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { trpc } from "../../../web/api/trpc.ts";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { EmptyState } from "../../../web/parts/empty-state.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { ManagedBadge } from "../../../web/parts/managed-badge.tsx";
import { Name } from "../../../web/parts/name.tsx";
import { Page } from "../../../web/shell/page.tsx";
import { mayAct, useProject } from "../../../web/shell/session.ts";
import { type EditedName, NameDialog } from "./name-dialog.tsx";

interface Row {
  readonly name: string;
  readonly model: string;
}

/** The page of the project's own names for models; owners and admins change them. */
export function NamesPage() {
  const project = useProject();
  const mayChange = mayAct(project, "settings.change");
  const settings = useQuery(trpc.projectSettings.read.queryOptions({ projectId: project.id }));
  const [edited, setEdited] = useState<EditedName>();
  const rows = settings.data && Object.entries(settings.data.aliases).map(([name, model]) => ({ name, model }));
  rows?.sort((one, other) => (one.name < other.name ? -1 : 1));
  const add = mayChange && (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => setEdited({ name: "", model: "", isNew: true })}
    >
      Add an alias
    </Button>
  );
  return (
    <Page
      title="Model aliases"
      lead="Calls of this project can use these names instead of the model's own."
      back={{ label: "All settings", to: ".." }}
      actions={
        <>
          <ManagedBadge kind="settings" name="" />
          {rows !== undefined && rows.length > 0 && add}
        </>
      }
    >
      <ErrorNote error={settings.error} onRetry={() => void settings.refetch()} />
      <DataTable table={TABLE} rows={rows} context={{ edit: mayChange ? setEdited : undefined, add }} />
      <NameDialog edited={edited} onClose={() => setEdited(undefined)} />
    </Page>
  );
}

interface Context {
  /** Given to people who may change them. */
  readonly edit: ((edited: EditedName) => void) | undefined;
  /** The button that adds one. */
  readonly add: ReactNode;
}

const TABLE: TableDescription<Row, Context> = {
  caption: "Model aliases",
  rowKey: ({ name }) => name,
  empty: ({ add }) => (
    <EmptyState
      Icon={IconTag}
      title="No aliases yet"
      text="Add a name such as “fast”. You can point it to another model later without changing callers."
      action={add}
    />
  ),
  columns: [
    {
      heading: "Name",
      searchText: ({ name }) => name,
      sortBy: ({ name }) => name,
      cell: ({ name }) => (
        <Text fz="sm" fw={500}>
          <Name>{name}</Name>
        </Text>
      ),
    },
    {
      heading: "Model",
      searchText: ({ model }) => model,
      sortBy: ({ model }) => model,
      cell: ({ model }) => <Name>{model}</Name>,
    },
    {
      heading: "Actions",
      isAction: true,
      isShown: ({ edit }) => edit !== undefined,
      cell: (row, { edit }) => (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => edit?.({ ...row, isNew: false })}
          aria-label={`Edit the alias ${row.name}`}
        >
          Edit
        </Button>
      ),
    },
  ],
};
