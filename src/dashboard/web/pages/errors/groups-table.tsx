import { Text } from "@mantine/core";
import type { Range } from "../../figures/range.ts";
import { CallsLink } from "../../parts/calls-link.tsx";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { formatAgo, formatTime, NONE } from "../../parts/format.ts";
import { Name } from "../../parts/name.tsx";
import { reasonText } from "../../parts/reason-text.ts";
import { useKeyNames } from "../history/use-key-names.ts";
import type { Errors } from "./use-errors.ts";

type Group = Errors["groups"][number];

interface Props {
  readonly groups: readonly Group[] | undefined;
  readonly stepMs: number;
  readonly range: Range;
}

/** Failed calls by reason, upstream, model and key, the most first. */
export function GroupsTable({ groups, stepMs, range }: Props) {
  const keyName = useKeyNames(groups?.map(({ keyId }) => keyId) ?? []);
  const columns: Column<Group>[] = [
    { heading: "Reason", cell: ({ reason }) => reasonText(reason), sortBy: ({ reason }) => reason },
    {
      heading: "Upstream",
      cell: ({ upstream }) => (upstream === "" ? NONE : <Name>{upstream}</Name>),
      sortBy: ({ upstream }) => upstream,
    },
    { heading: "Model", cell: ({ model }) => <Name>{model}</Name>, sortBy: ({ model }) => model },
    { heading: "Key", cell: ({ keyId }) => keyName(keyId), sortBy: ({ keyId }) => keyName(keyId) },
    {
      heading: "Calls",
      isNumeric: true,
      sortBy: ({ calls }) => calls,
      cell: ({ reason, upstream, model, keyId, calls }) => (
        <CallsLink
          calls={calls}
          range={range}
          filter={{ status: "failed", reason, upstream, answered: model, key: keyId }}
          what={`of ${model} that failed: ${reasonText(reason)}`}
        />
      ),
    },
    {
      heading: "First seen",
      isMinor: true,
      sortBy: ({ firstMs }) => firstMs,
      cell: ({ firstMs }) => <Step ms={firstMs} stepMs={stepMs} />,
    },
    {
      heading: "Last seen",
      sortBy: ({ lastMs }) => lastMs,
      cell: ({ lastMs }) => <Step ms={lastMs} stepMs={stepMs} />,
    },
  ];
  return (
    <DataTable
      caption="Where calls failed"
      columns={columns}
      rows={groups}
      keyOf={({ reason, upstream, model, keyId }) => JSON.stringify([reason, upstream, model, keyId])}
      textOf={({ reason, upstream, model, keyId }) => `${reasonText(reason)} ${upstream} ${model} ${keyName(keyId)}`}
      empty={
        <Text p="md" c="dimmed">
          No call failed.
        </Text>
      }
    />
  );
}

/** A step of time in which calls were: the rollups know no more. */
function Step({ ms, stepMs }: { readonly ms: number; readonly stepMs: number }) {
  const [from, to] = [new Date(ms), new Date(ms + stepMs)];
  return (
    <span title={`${formatTime(from)} – ${formatTime(to)}`} style={{ whiteSpace: "nowrap" }}>
      {formatAgo(to.getTime() > Date.now() ? from : to)}
    </span>
  );
}
