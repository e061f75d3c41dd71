import { Badge, Text } from "@mantine/core";
import { IconBell, IconBellCheck } from "@tabler/icons-react";
import { ALERT_KINDS } from "../../../../alerts/kinds.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { formatAgo, formatTime } from "../../parts/format.ts";
import { MoreButton } from "../../parts/more-button.tsx";
import { nameText } from "../../parts/name-text.ts";
import { Page } from "../../shell/page.tsx";
import { mayAct, useProject } from "../../shell/session.ts";
import { DestinationsPart } from "./destinations-part.tsx";
import { Part } from "./part.tsx";
import { RulesPart } from "./rules-part.tsx";
import { type Alert, useAlerts } from "./use-alerts.ts";

/** Shows what is wrong, what was, the rules, and where messages go. */
export function AlertsPage() {
  const alerts = useAlerts();
  const mayChange = mayAct(useProject(), "alerts.change");
  const { data } = alerts;
  const closed = data?.pages.flatMap((page) => page.closed);
  return (
    <Page title="Alerts" lead="What goes wrong: one alert for one cause, from its beginning to its end.">
      <ErrorNote error={alerts.error} onRetry={() => void alerts.refetch()} />
      <Part title="Open">
        <DataTable
          caption="Open alerts"
          columns={OPEN}
          rows={data?.pages[0]?.open}
          keyOf={({ id }) => id}
          empty={<EmptyState Icon={IconBellCheck} title="Nothing is wrong" text="No rule has an open alert." />}
        />
      </Part>
      <RulesPart />
      {mayChange && <DestinationsPart />}
      <Part title="History">
        <DataTable
          caption="Alerts that are over"
          columns={CLOSED}
          rows={closed}
          keyOf={({ id }) => id}
          empty={<EmptyState Icon={IconBell} title="No alerts yet" text="Alerts that are over are listed here." />}
        />
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
const RULE: Column<Alert> = { heading: "Rule", isMinor: true, cell: ({ rule }) => <code>{rule}</code> };

const OPEN: readonly Column<Alert>[] = [
  WHAT,
  RULE,
  { heading: "Since", cell: ({ openedAt }) => <Time at={openedAt} />, isNumeric: true },
];

const CLOSED: readonly Column<Alert>[] = [
  WHAT,
  RULE,
  { heading: "Began", cell: ({ openedAt }) => <Time at={openedAt} />, isNumeric: true, isMinor: true },
  { heading: "Ended", cell: ({ closedAt }) => <Time at={closedAt} />, isNumeric: true },
];
