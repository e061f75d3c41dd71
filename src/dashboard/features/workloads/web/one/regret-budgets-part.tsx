import { Box, Group, Stack, Text, Title } from "@mantine/core";
import { seriesColor } from "../../../../web/figures/series-colors.ts";
import { stepLabels } from "../../../../web/figures/step-label.ts";
import { ChartWithTable } from "../../../../web/parts/chart-with-table.tsx";
import { DataTable, type TableDescription } from "../../../../web/parts/data-table.tsx";
import { formatPercent } from "../../../../web/parts/format.ts";
import { nameText } from "../../../../web/parts/name-text.ts";
import { ACCOUNTS, accountLabel } from "../standing.ts";
import type { Figures, WorkloadDetails } from "../types.ts";

type Account = Figures["accounts"][number];

interface Props {
  readonly accounts: readonly Account[];
  readonly course: WorkloadDetails["course"];
}

/** The usage of the regret budgets: once one is used up, only base answers. */
export function RegretBudgetsPart({ accounts, course }: Props) {
  const labels = stepLabels(course.buckets, course);
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        The guard
      </Title>
      <Text fz="sm" c="dimmed" mt={-8}>
        Each regret budget limits how much other models may lose against base. The table shows the worst case. While one
        budget is used up, only base answers.
      </Text>
      <DataTable table={TABLE} rows={accounts} />
      {course.steps.length > 1 && (
        <ChartWithTable
          title="Regret budgets over time"
          unit="used share of the budget; at 100% only base answers"
          kind="line"
          series={accounts.map(({ name }, at) => ({
            name: `s${at}`,
            label: accountLabel(name),
            color: seriesColor(at),
          }))}
          rows={course.steps.map(({ used }, at) => ({
            at: labels[at] ?? "",
            ...Object.fromEntries(accounts.map(({ name }, line) => [`s${line}`, used[name] ?? null])),
          }))}
          format={(value) => formatPercent(value)}
          emptyText="No feedback was learned in this period."
        />
      )}
    </Stack>
  );
}

const TABLE: TableDescription<Account> = {
  caption: "Regret budgets",
  rowKey: ({ name }) => name,
  columns: [
    {
      heading: "Regret budget",
      cell: ({ name }) => (
        <Box miw={140} maw={260}>
          <Text fz="sm" fw={500}>
            {nameText(accountLabel(name))}
          </Text>
          <Text fz="xs" c="dimmed">
            {ACCOUNTS[name]?.text ?? "a guarded metric"}
          </Text>
        </Box>
      ),
    },
    { heading: "Used", isNumeric: true, cell: ({ used }) => <Used used={used} /> },
    { heading: "Possible loss", isNumeric: true, cell: ({ loss }) => Math.max(0, loss).toFixed(1) },
    { heading: "Allowed loss", isNumeric: true, cell: ({ budget }) => budget.toFixed(1) },
  ],
};

/** A figure with a bar, so that what runs out is seen before it is read. */
function Used({ used }: { readonly used: number }) {
  const color = used > 1 ? "var(--attune-bad)" : "var(--attune-good)";
  return (
    <Box>
      <Group justify="flex-end">{formatPercent(used)}</Group>
      <Box className="attune-used" ml="auto" mt={4} aria-hidden>
        <Box h="100%" style={{ width: `${Math.round(Math.min(1, used) * 100)}%`, background: color }} />
      </Box>
    </Box>
  );
}
