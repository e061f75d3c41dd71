import { Anchor, Box, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Range } from "../../figures/range.ts";
import { CallsLink } from "../../parts/calls-link.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { formatCost, formatNumber, formatPercent, formatShort, formatShortCost, NONE } from "../../parts/format.ts";
import { windowRange } from "../../parts/history-path.ts";
import { nameText } from "../../parts/name-text.ts";
import { sessionPath } from "../../parts/session-path.ts";
import { useProject } from "../../shell/session.ts";
import { useKeyNames } from "../history/use-key-names.ts";
import "../models/models.css";
import { Change } from "../overview/change.tsx";
import type { Dimension, Ranking } from "./use-spend.ts";

type Row = Ranking["rows"][number];

interface Props {
  readonly ranking: Ranking | undefined;
  readonly dimension: Dimension;
  readonly empty: ReactNode;
}

/** Keys, users, sessions and the like by what their calls cost. */
export function RankingTable({ ranking, dimension, empty }: Props) {
  const { id: projectId } = useProject();
  const isKey = dimension.value === "key";
  const keyName = useKeyNames(isKey ? (ranking?.rows.map(({ value }) => value) ?? []) : []);
  const nameOf = (value: string) => (value === "" ? "without one" : isKey ? keyName(value) : nameText(value));
  const hasBefore = (ranking?.before.calls ?? 0) > 0;
  // Days are counted as wholes: the rows are looked for in the time that the figures are of.
  const range: Range = ranking === undefined ? { range: "30d" } : windowRange(ranking);
  const columns: Column<Row>[] = [
    {
      heading: dimension.label.replace("By ", "").replace(/^./, (letter) => letter.toUpperCase()),
      sortBy: ({ value }) => nameOf(value),
      cell: ({ value }) =>
        dimension.value === "session" ? (
          <Anchor component={Link} to={sessionPath(projectId, value)} fz="sm" style={{ overflowWrap: "anywhere" }}>
            {nameOf(value)}
          </Anchor>
        ) : (
          <Text fz="sm" fw={500} miw={90} style={{ overflowWrap: "anywhere" }}>
            {nameOf(value)}
          </Text>
        ),
    },
    {
      heading: "Cost",
      isNumeric: true,
      sortBy: ({ costNanos }) => costNanos,
      cell: ({ costNanos, share, isPriced }) => (
        <Box title={isPriced ? formatCost(costNanos) : "The price of these calls is not known."}>
          {formatShortCost(isPriced ? costNanos : null)}
          <Box className="attune-cell-bar" ml="auto" mt={4} aria-hidden>
            <Box
              h="100%"
              style={{ width: `${Math.round(share * 100)}%`, background: "var(--mantine-color-indigo-6)" }}
            />
          </Box>
        </Box>
      ),
    },
    { heading: "Share", isNumeric: true, sortBy: ({ share }) => share, cell: ({ share }) => formatPercent(share) },
    {
      heading: "Change",
      isNumeric: true,
      isMinor: true,
      sortBy: ({ costNanos, beforeNanos }) => costNanos - beforeNanos,
      cell: ({ costNanos, beforeNanos }) => (
        <Text fz="sm" span title={`${formatCost(beforeNanos)} in the period before`}>
          {hasBefore ? <Change now={costNanos} before={beforeNanos} better="neither" /> : NONE}
        </Text>
      ),
    },
    {
      heading: "Calls",
      isNumeric: true,
      sortBy: ({ calls }) => calls,
      cell: ({ value, calls }) => (
        <CallsLink calls={calls} range={range} filter={{ [dimension.filter]: value }} what={`of ${nameOf(value)}`} />
      ),
    },
    {
      heading: "Tokens",
      isNumeric: true,
      isMinor: true,
      sortBy: ({ tokens }) => tokens,
      cell: ({ tokens }) => formatShort(tokens),
    },
  ];
  return (
    <Stack gap="xs">
      <DataTable
        caption={`Spend ${dimension.label.toLowerCase()}`}
        columns={columns}
        rows={ranking?.rows}
        keyOf={({ value }) => value}
        textOf={({ value }) => `${value} ${nameOf(value)}`}
        empty={empty}
      />
      {ranking !== undefined && ranking.rowCount > ranking.rows.length && (
        <Text fz="sm" c="dimmed">
          The {ranking.rows.length} dearest of {formatNumber(ranking.rowCount)}.
        </Text>
      )}
    </Stack>
  );
}
