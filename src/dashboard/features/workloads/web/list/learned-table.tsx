import { Anchor, Stack, Text } from "@mantine/core";
import { IconArrowsSplit } from "@tabler/icons-react";
import { Link, useLocation } from "react-router";
import { DataTable, type TableDescription } from "../../../../web/parts/data-table.tsx";
import { EmptyState } from "../../../../web/parts/empty-state.tsx";
import { formatNumber, formatPercent, formatShortCost, NONE } from "../../../../web/parts/format.ts";
import { Name } from "../../../../web/parts/name.tsx";
import { armName } from "../arm-name.ts";
import { MODES } from "../standing.ts";
import { StandingBadge } from "../standing-badge.tsx";
import type { LearnedList, LearnedRow } from "../types.ts";
import { writeAhead, writeWorth } from "../write-worth.ts";

/** Each workload, how it stands, and who does best in it. */
export function LearnedTable({ list }: { readonly list: LearnedList | undefined }) {
  const { search } = useLocation();
  return <DataTable table={TABLE} rows={list?.workloads} context={{ search }} />;
}

function writeBase(learned: LearnedRow["learned"]): string {
  const base = learned?.arms.find(({ isBase }) => isBase);
  return base === undefined || learned?.rewards === 0 ? NONE : writeWorth(base.worth);
}

/** Tells whether any workload has rewards; without, the columns of estimates would be empty. */
function hasLearned(_context: unknown, rows: readonly LearnedRow[]): boolean {
  return rows.some(({ learned }) => (learned?.rewards ?? 0) > 0);
}

/** Among those of which anything was said; the policy's beliefs of others are none of anyone's. */
function BestOther({ learned }: Pick<LearnedRow, "learned">) {
  const best = learned?.arms.find(({ isBase, rewards }) => !isBase && rewards > 0);
  if (best?.ahead == null) return NONE;
  return (
    <Stack gap={0}>
      <Text span fz="sm">
        <Name>{armName(best.model)}</Name>
      </Text>
      <Text span fz="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
        {writeAhead(best.ahead)}
      </Text>
    </Stack>
  );
}

function writeSaved({ costNanos, baseCostNanos }: LearnedRow): string {
  return formatShortCost(costNanos === null || baseCostNanos === null ? null : baseCostNanos - costNanos);
}

const TABLE: TableDescription<LearnedRow, { readonly search: string }> = {
  caption: "Workloads",
  rowKey: ({ model }) => model,
  empty: (
    <EmptyState
      Icon={IconArrowsSplit}
      title="No workloads yet"
      text="Call a model. Its calls are a workload. With feedback, this page shows which model answers them best."
    />
  ),
  columns: [
    {
      heading: "Workload (base model)",
      cell: ({ model }, { search }) => (
        <Anchor component={Link} to={{ pathname: encodeURIComponent(model), search }} fz="sm" fw={500}>
          <Name>{model}</Name>
        </Anchor>
      ),
    },
    { heading: "State", cell: ({ standing, mode }) => <StandingBadge standing={standing} mode={mode} /> },
    { heading: "Mode", isMinor: true, cell: ({ mode }) => MODES.find(({ value }) => value === mode)?.label },
    { heading: "Calls", isNumeric: true, cell: ({ calls }) => formatNumber(calls) },
    {
      heading: "Routed",
      isNumeric: true,
      cell: ({ calls, routedCalls }) => formatPercent(calls === 0 ? null : routedCalls / calls),
    },
    { heading: "Feedback", isNumeric: true, cell: ({ entries }) => formatNumber(entries) },
    { heading: "Base reward", isNumeric: true, isShown: hasLearned, cell: ({ learned }) => writeBase(learned) },
    {
      heading: "Best other model (gain)",
      isShown: hasLearned,
      cell: ({ learned }) => <BestOther learned={learned} />,
    },
    { heading: "Saved", isNumeric: true, isMinor: true, cell: writeSaved },
  ],
};
