import { Anchor, Text } from "@mantine/core";
import { Link } from "react-router";
import { CallsLink } from "../../../web/parts/calls-link.tsx";
import { type Column, DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { formatAgo, formatNumber, formatTime, NONE } from "../../../web/parts/format.ts";
import { windowRange } from "../../../web/parts/history-path.ts";
import { Name } from "../../../web/parts/name.tsx";
import { reasonText } from "../../../web/parts/reason-text.ts";
import { refusedPath } from "../../../web/parts/refused-path.ts";
import { RequestLink } from "../../../web/parts/request-link.tsx";
import { useProject } from "../../../web/shell/session.ts";
import { useKeyNames } from "../../history/web/use-key-names.ts";
import { DIMENSIONS, type Dimension } from "./dimensions.ts";
import type { ErrorGroups } from "./types.ts";

type Group = ErrorGroups["groups"][number];

interface Props {
  readonly data: ErrorGroups | undefined;
  readonly by: readonly Dimension[];
}

/** Failed and refused calls by their dimensions, the most first. */
export function GroupsTable({ data, by }: Props) {
  const keyName = useKeyNames(data?.groups.map(({ values: { key = "" } }) => key) ?? []);
  const write = ({ isRefused, values }: Group, dimension: Dimension) => {
    const value = values[dimension] ?? "";
    if (dimension === "reason") return isRefused ? `refused: ${reasonText(value)}` : reasonText(value);
    return dimension === "key" && value !== "" ? keyName(value) : value;
  };
  return <DataTable table={TABLE} rows={data?.groups} context={{ data, by, write }} />;
}

function Value({ text, isName }: { readonly text: string; readonly isName: boolean }) {
  if (text === "") return NONE;
  return isName ? <Name>{text}</Name> : text;
}

interface GroupProps {
  readonly group: Group;
  readonly data: ErrorGroups | undefined;
}

/** The number of calls, which leads to their rows. */
function Calls({ group: { isRefused, values, calls }, data, what }: GroupProps & { readonly what: string }) {
  const { id: projectId } = useProject();
  if (data === undefined) return formatNumber(calls);
  const range = windowRange(data);
  if (isRefused) {
    const label = `${formatNumber(calls)} calls ${what}: show them`;
    return (
      <Anchor component={Link} to={refusedPath(projectId, range, values)} inherit aria-label={label}>
        {formatNumber(calls)}
      </Anchor>
    );
  }
  // No filter tells calls without an end user from the others: the latest of them is one column further.
  if (values.user === "") return formatNumber(calls);
  const { model, ...others } = values;
  const filter = { status: "failed", ...others, ...(model !== undefined && { answered: model }) };
  return <CallsLink calls={calls} range={range} filter={filter} what={`that failed: ${what}`} />;
}

function LastSeen({ group }: { readonly group: Group }) {
  const seen = <Seen ms={group.lastMs} stepMs={group.lastStepMs} />;
  return group.latestId === undefined ? seen : <RequestLink id={group.latestId}>{seen}</RequestLink>;
}

/** A time, or a step of time in which calls were, where more is not known. */
function Seen({ ms, stepMs }: { readonly ms: number; readonly stepMs: number }) {
  const [from, to] = [new Date(ms), new Date(ms + stepMs)];
  const title = stepMs === 0 ? formatTime(from) : `${formatTime(from)} – ${formatTime(to)}`;
  return (
    <span title={title} style={{ whiteSpace: "nowrap" }}>
      {to.getTime() > Date.now() ? `${formatAgo(from)} or later` : formatAgo(to)}
    </span>
  );
}

interface Context extends Props {
  readonly write: (group: Group, dimension: Dimension) => string;
}

const TABLE: TableDescription<Group, Context> = {
  caption: "Where calls failed",
  rowKey: ({ isRefused, values }) => JSON.stringify([isRefused, values]),
  empty: (
    <Text p="md" c="dimmed">
      No failed calls.
    </Text>
  ),
  columns: [
    // First, where it is seen however many dimensions there are.
    {
      heading: "Calls",
      isNumeric: true,
      sortBy: ({ calls }) => calls,
      cell: (group, { data, by, write }) => (
        <Calls group={group} data={data} what={by.map((one) => write(group, one)).join(" ")} />
      ),
    },
    ...DIMENSIONS.map(
      ({ value, label }): Column<Group, Context> => ({
        heading: label,
        isShown: ({ by }) => by.includes(value),
        cell: (group, { write }) => <Value text={write(group, value)} isName={value !== "reason"} />,
        sortBy: (group, { write }) => write(group, value),
        searchText: (group, { write }) => write(group, value),
      }),
    ),
    {
      heading: "First seen",
      isMinor: true,
      sortBy: ({ firstMs }) => firstMs,
      cell: (group) => <Seen ms={group.firstMs} stepMs={group.firstStepMs} />,
    },
    { heading: "Last seen", sortBy: ({ lastMs }) => lastMs, cell: (group) => <LastSeen group={group} /> },
  ],
};
