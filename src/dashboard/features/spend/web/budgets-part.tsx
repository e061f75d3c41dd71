import { Anchor, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { QUOTA_RULES } from "../../../../quotas/quota-fields.ts";
import { type Outputs, trpc } from "../../../web/api/trpc.ts";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatAgo, formatPercent, formatShortCost, formatTime } from "../../../web/parts/format.ts";
import { nameText } from "../../../web/parts/name-text.ts";
import { useProject } from "../../../web/shell/session.ts";
import { useKeyNames } from "../../history/web/use-key-names.ts";

type Budget = Outputs["spend"]["budgets"]["budgets"][number];

const REFRESH_MS = 30_000;

/** The budgets in USD, those with the least left first. */
export function BudgetsPart() {
  const { id: projectId } = useProject();
  const budgets = useQuery(trpc.spend.budgets.queryOptions({ projectId }, { refetchInterval: REFRESH_MS }));
  const rows = budgets.data?.budgets;
  const keyName = useKeyNames(rows?.flatMap(({ kind, name }) => (kind === "key" ? [name] : [])) ?? []);
  return (
    <Stack gap="xs">
      <Title order={2} size="h4" mt="xs">
        Budgets
      </Title>
      <ErrorNote error={budgets.error} onRetry={() => void budgets.refetch()} />
      <DataTable table={TABLE} rows={rows} context={{ keyName }} />
      {budgets.data !== undefined && budgets.data.budgetCount > budgets.data.budgets.length && (
        <Text c="dimmed" fz="sm">
          {`The ${budgets.data.budgets.length} budgets of ${budgets.data.budgetCount} with the least left.`}
        </Text>
      )}
    </Stack>
  );
}

const TABLE: TableDescription<Budget, { readonly keyName: (id: string) => string }> = {
  caption: "Budgets",
  rowKey: ({ kind, name, rule }) => `${kind} ${name} ${rule}`,
  empty: (
    <Text p="md" c="dimmed" fz="sm">
      No budgets yet. Owners and admins set them for keys, end users and tags in{" "}
      <Anchor component={Link} to="../limits" relative="path" fz="sm" underline="always">
        Limits
      </Anchor>
      .
    </Text>
  ),
  columns: [
    {
      heading: "Applies to",
      searchText: ({ kind, name }, { keyName }) => writeOwner(kind, name, keyName),
      cell: ({ kind, name }, { keyName }) => writeOwner(kind, name, keyName),
    },
    {
      heading: "Budget",
      isNumeric: true,
      cell: ({ limit, rule }) => `${formatShortCost(limit)} ${QUOTA_RULES[rule].label.replace("USD ", "")}`,
    },
    { heading: "Spent", isNumeric: true, sortBy: ({ spent }) => spent, cell: ({ spent }) => formatShortCost(spent) },
    {
      heading: "Left",
      isNumeric: true,
      sortBy: ({ leftNanos, limit }) => (limit === 0 ? 0 : leftNanos / limit),
      cell: ({ leftNanos, limit }) =>
        `${formatShortCost(leftNanos)} (${formatPercent(limit === 0 ? 0 : leftNanos / limit)})`,
    },
    { heading: "At this pace", cell: (budget) => <Forecast budget={budget} /> },
  ],
};

function Forecast({ budget: { leftNanos, reachedAtMs, resetsAtMs } }: { readonly budget: Budget }) {
  const reset = resetsAtMs === null ? "" : `, resets ${formatAgo(new Date(resetsAtMs))}`;
  if (leftNanos === 0) return <Text fz="sm" c="var(--attune-bad)" fw={500}>{`reached${reset}`}</Text>;
  if (reachedAtMs === null)
    return (
      <Text fz="sm" c="dimmed">
        {resetsAtMs === null ? "lasts over a year" : "lasts until it resets"}
      </Text>
    );
  const at = new Date(reachedAtMs);
  return (
    <Text fz="sm" title={formatTime(at)}>
      reached {formatAgo(at)}
      {reset}
    </Text>
  );
}

function writeOwner(kind: Budget["kind"], name: string, keyName: (id: string) => string): string {
  const names = { project: "This project", key: `Key ${keyName(name)}`, endUser: `End user ${nameText(name)}` };
  return kind === "tag" ? `Tag ${nameText(name)}` : names[kind];
}
