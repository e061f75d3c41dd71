import { Button, Group, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../../web/api/trpc.ts";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { NONE } from "../../../web/parts/format.ts";
import { type EditedLimits, LimitsDialog } from "../../../web/parts/limits-dialog.tsx";
import { describeLimits } from "../../../web/parts/limits-draft.ts";
import { ManagedBadge } from "../../../web/parts/managed-badge.tsx";
import { Name } from "../../../web/parts/name.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { useNewDialog } from "../../../web/parts/use-new-dialog.ts";
import { Page } from "../../../web/shell/page.tsx";
import { mayAct, useProject } from "../../../web/shell/session.ts";
import { useKeyNames } from "../../history/web/use-key-names.ts";
import { type LimitRow, limitRows } from "./limit-rows.ts";

const NEW: EditedLimits = { title: "New limits", owner: { kind: "endUser", name: "" }, settings: {}, isNew: true };

/** Shows the limits of the project and of all in it; owners and admins change them. */
export function LimitsPage() {
  const project = useProject();
  const mayChange = mayAct(project, "limits.change");
  const quotas = useQuery(trpc.quotas.list.queryOptions({ projectId: project.id }));
  const named = quotas.data?.quotas.filter(({ kind }) => kind === "key") ?? [];
  const keyName = useKeyNames(named.map(({ name }) => name));
  const creating = useNewDialog();
  const [edited, setEdited] = useState<EditedLimits>();
  const rows = quotas.data && limitRows(quotas.data, keyName);
  return (
    <Page
      title="Limits"
      lead="Rate limits and budgets. A call counts toward its project, key, end user and tags. The strictest limit applies."
      actions={
        mayChange && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => creating.set(true)}>
            Limit an end user or a tag
          </Button>
        )
      }
    >
      <ErrorNote error={quotas.error} onRetry={() => void quotas.refetch()} />
      <DataTable table={TABLE} rows={rows} context={{ edit: mayChange ? setEdited : undefined }} />
      {quotas.data?.hasMore && (
        <Text fz="sm" c="dimmed">
          The first {quotas.data.quotas.length} are listed. <code>attune quotas list</code> prints all of them.
        </Text>
      )}
      <LimitsDialog
        edited={mayChange && creating.isOpen ? NEW : edited}
        onClose={() => (creating.isOpen ? creating.set(false) : setEdited(undefined))}
      />
    </Page>
  );
}

interface Context {
  /** Given to people who may change them. */
  readonly edit: ((limits: EditedLimits) => void) | undefined;
}

const TABLE: TableDescription<LimitRow, Context> = {
  caption: "Limits",
  rowKey: ({ owner: { kind, name } }) => `${kind} ${name}`,
  columns: [
    {
      heading: "Applies to",
      searchText: ({ title }) => title,
      cell: ({ title, owner: { kind, name } }) => (
        <Group gap="xs" wrap="nowrap">
          <Text fw={500} fz="sm">
            <Name>{title}</Name>
          </Text>
          {kind === "key" && name !== "" ? (
            <ManagedBadge kind="key" name={name} />
          ) : (
            <ManagedBadge kind="limits" name={`${kind}:${name}`} />
          )}
        </Group>
      ),
    },
    { heading: "Limits", cell: ({ settings }) => describeLimits(settings) || NONE },
    {
      heading: "By default",
      isMinor: true,
      isShown: (_, rows) => rows.some(({ defaults }) => describeLimits(defaults) !== ""),
      cell: ({ defaults }) => describeLimits(defaults) || NONE,
    },
    {
      heading: "Actions",
      isAction: true,
      isShown: ({ edit }) => edit !== undefined,
      cell: ({ title, owner: { kind, name }, settings }, { edit }) =>
        kind === "project" ? (
          <Text fz="sm" c="dimmed">
            Set by the operator
          </Text>
        ) : (
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => edit?.({ title: `Limits of ${nameText(title)}`, owner: { kind, name }, settings })}
            aria-label={`Edit the limits of ${nameText(title)}`}
          >
            Edit
          </Button>
        ),
    },
  ],
};
