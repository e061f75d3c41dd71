import { Badge, Text } from "@mantine/core";
import { IconBell, IconBellCheck } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { ALERT_KINDS } from "../../../../alerts/kinds.ts";
import { trpc } from "../../../web/api/trpc.ts";
import { type Column, DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { EmptyState } from "../../../web/parts/empty-state.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatAgo, formatTime } from "../../../web/parts/format.ts";
import { MoreButton } from "../../../web/parts/more-button.tsx";
import { Name } from "../../../web/parts/name.tsx";
import { nameText } from "../../../web/parts/name-text.ts";
import { Page } from "../../../web/shell/page.tsx";
import { mayAct, useProject } from "../../../web/shell/session.ts";
import { DestinationsPart } from "./destinations-part.tsx";
import { Part } from "./part.tsx";
import { RulesPart } from "./rules-part.tsx";
import type { Alert } from "./types.ts";

const REFRESH_MS = 30_000;

/** Shows what is wrong, what was, the rules, and where messages go. */
export function AlertsPage() {
  const project = useProject();
  const alerts = useInfiniteQuery(
    trpc.alerts.list.infiniteQueryOptions(
      { projectId: project.id },
      { getNextPageParam: ({ next }) => next, refetchInterval: REFRESH_MS },
    ),
  );
  const mayChange = mayAct(project, "alerts.change");
  const { data } = alerts;
  const closed = data?.pages.flatMap((page) => page.closed);
  return (
    <Page title="Alerts" lead="Problems that need attention. Each one stays a single alert until it's over.">
      <ErrorNote error={alerts.error} onRetry={() => void alerts.refetch()} />
      <Part title="Open">
        <DataTable table={OPEN} rows={data?.pages[0]?.open} />
      </Part>
      <RulesPart />
      {mayChange && <DestinationsPart />}
      <Part title="History">
        <DataTable table={CLOSED} rows={closed} />
        <MoreButton pages={alerts}>Show older ones</MoreButton>
      </Part>
    </Page>
  );
}

function Time({ at }: { readonly at: string | null }) {
  if (at === null) return null;
  return (
    <Text span fz="sm" title={formatTime(at)} style={{ whiteSpace: "nowrap" }}>
      {formatAgo(at)}
    </Text>
  );
}

const WHAT: Column<Alert> = {
  heading: "Alert",
  cell: ({ kind, summary, isOfAll }) => (
    <>
      <Text fw={500} fz="sm">
        {ALERT_KINDS[kind].label}
        {isOfAll && (
          <Badge variant="default" size="sm" ml="xs">
            All projects
          </Badge>
        )}
      </Text>
      <Text fz="sm" c="dimmed" style={{ overflowWrap: "anywhere" }} maw={520} miw={180}>
        {nameText(summary)}
      </Text>
    </>
  ),
};
// Built-in rules are named after their condition.
const RULE: Column<Alert> = {
  heading: "Rule",
  isMinor: true,
  cell: ({ rule, kind }) => (rule === kind ? "Built in" : <Name>{rule}</Name>),
};

const OPEN: TableDescription<Alert> = {
  caption: "Open alerts",
  rowKey: ({ id }) => id,
  empty: <EmptyState Icon={IconBellCheck} title="Nothing is wrong" text="No rule has an open alert." />,
  columns: [WHAT, RULE, { heading: "Since", cell: ({ openedAt }) => <Time at={openedAt} />, isNumeric: true }],
};

const CLOSED: TableDescription<Alert> = {
  caption: "Alerts that are over",
  rowKey: ({ id }) => id,
  empty: <EmptyState Icon={IconBell} title="No alerts yet" text="Alerts that are over are listed here." />,
  columns: [
    WHAT,
    RULE,
    { heading: "Began", cell: ({ openedAt }) => <Time at={openedAt} />, isNumeric: true, isMinor: true },
    { heading: "Ended", cell: ({ closedAt }) => <Time at={closedAt} />, isNumeric: true },
  ],
};
