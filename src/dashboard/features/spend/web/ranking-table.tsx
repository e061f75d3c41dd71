import { Anchor, Box, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { capitalize } from "../../../../lib/letter-case.ts";
import type { Outputs } from "../../../web/api/trpc.ts";
import type { Range } from "../../../web/figures/range.ts";
import { CallsLink } from "../../../web/parts/calls-link.tsx";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import {
  formatCost,
  formatNumber,
  formatPercent,
  formatShort,
  formatShortCost,
  NONE,
} from "../../../web/parts/format.ts";
import { windowRange } from "../../../web/parts/history-path.ts";
import { nameText } from "../../../web/parts/name-text.ts";
import { sessionPath } from "../../../web/parts/session-path.ts";
import { useProject } from "../../../web/shell/session.ts";
import { useKeyNames } from "../../history/web/use-key-names.ts";
import "../../models/web/models.css";
import { Change } from "../../overview/web/change.tsx";
import type { Dimension } from "./dimensions.ts";
import { hasActs, RowActions, type SpendActs } from "./row-actions.tsx";

/** A ranking by what calls cost. */
export type Ranking = Outputs["spend"]["ranking"];

type Row = Ranking["rows"][number];

interface Props {
  readonly ranking: Ranking | undefined;
  readonly dimension: Dimension;
  readonly empty: ReactNode;
  readonly acts: SpendActs;
}

/** Keys, users, sessions and the like by what their calls cost. */
export function RankingTable({ ranking, dimension, empty, acts }: Props) {
  const { id: projectId } = useProject();
  const isKey = dimension.value === "key";
  const keyName = useKeyNames(isKey ? (ranking?.rows.map(({ value }) => value) ?? []) : []);
  const writeName = (value: string) => (value === "" ? "None" : isKey ? keyName(value) : nameText(value));
  const hasBefore = (ranking?.compared.before.calls ?? 0) > 0;
  // Days are counted as wholes: the rows are looked for in the time that the figures are of.
  const range: Range = ranking === undefined ? { range: "30d" } : windowRange(ranking);
  return (
    <Stack gap="xs">
      <DataTable
        table={TABLE}
        rows={ranking?.rows}
        context={{ projectId, dimension, range, writeName, hasBefore, empty, acts }}
      />
      {ranking !== undefined && ranking.rowCount > ranking.rows.length && (
        <Text fz="sm" c="dimmed">
          The {ranking.rows.length} most expensive of {formatNumber(ranking.rowCount)}.
        </Text>
      )}
    </Stack>
  );
}

interface Context extends Pick<Props, "dimension" | "empty" | "acts"> {
  readonly projectId: string;
  readonly range: Range;
  readonly writeName: (value: string) => string;
  /** True if the period before had calls. */
  readonly hasBefore: boolean;
}

const TABLE: TableDescription<Row, Context> = {
  caption: ({ dimension }) => `Spend ${dimension.label.toLowerCase()}`,
  rowKey: ({ value }) => value,
  empty: ({ empty }) => empty,
  columns: [
    {
      heading: ({ dimension }) => capitalize(dimension.label.replace("By ", "")),
      sortBy: ({ value }, { writeName }) => writeName(value),
      searchText: ({ value }, { writeName }) => `${value} ${writeName(value)}`,
      cell: ({ value }, { projectId, dimension, writeName }) => {
        const to = findPath(dimension, projectId, value);
        return to === undefined ? (
          <Text fz="sm" fw={500} miw={90} style={{ overflowWrap: "anywhere" }}>
            {writeName(value)}
          </Text>
        ) : (
          <Anchor component={Link} to={to} fz="sm" display="inline-block" miw={90} style={{ overflowWrap: "anywhere" }}>
            {writeName(value)}
          </Anchor>
        );
      },
    },
    {
      heading: "Cost",
      isNumeric: true,
      sortBy: ({ costNanos }) => costNanos,
      figure: ({ costNanos, isPriced }) => formatShortCost(isPriced ? costNanos : null),
      cell: ({ costNanos, share, isPriced }, _, figure) => (
        <Box title={isPriced ? formatCost(costNanos) : "The price of these calls is not known."}>
          {figure}
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
      sortBy: ({ endedNanos, beforeNanos }) => endedNanos - beforeNanos,
      cell: ({ endedNanos, beforeNanos }, { hasBefore }) => (
        <Text fz="sm" span className="attune-nowrap" title={`${formatCost(beforeNanos)} in the period before`}>
          {hasBefore ? <Change now={endedNanos} before={beforeNanos} /> : NONE}
        </Text>
      ),
    },
    {
      heading: "Calls",
      isNumeric: true,
      sortBy: ({ calls }) => calls,
      cell: ({ value, calls }, { range, dimension, writeName }) => (
        <CallsLink calls={calls} range={range} filter={{ [dimension.filter]: value }} what={`of ${writeName(value)}`} />
      ),
    },
    {
      heading: "Tokens",
      isNumeric: true,
      isMinor: true,
      sortBy: ({ tokens }) => tokens,
      cell: ({ tokens }) => formatShort(tokens),
    },
    {
      heading: "Actions",
      isAction: true,
      isShown: ({ dimension, acts }) => hasActs(dimension, acts),
      cell: ({ value }, { dimension, writeName, acts }) => (
        <RowActions dimension={dimension} value={value} name={writeName(value)} {...acts} />
      ),
    },
  ],
};

/** Returns where a row is looked into, or stopped: a session's page, or its key among the keys. */
function findPath({ value: dimension }: Dimension, projectId: string, value: string): string | undefined {
  if (dimension === "session") return sessionPath(projectId, value);
  if (dimension !== "key" || value === "") return undefined;
  return `/projects/${projectId}/keys?${new URLSearchParams({ search: value })}`;
}
