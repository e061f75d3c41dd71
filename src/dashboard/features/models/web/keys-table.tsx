import { Badge, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Outputs, trpc } from "../../../web/api/trpc.ts";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { formatDuration, formatNumber } from "../../../web/parts/format.ts";
import { Name } from "../../../web/parts/name.tsx";
import { useProject } from "../../../web/shell/session.ts";
import { Headroom } from "./headroom.tsx";

type Key = Outputs["models"]["upstreamKeys"][number];

/** The table of upstreams' keys; empty where no upstream has several. */
export function KeysTable({ intervalMs }: { readonly intervalMs: number | false }) {
  const { id: projectId } = useProject();
  const { data } = useQuery(trpc.models.upstreamKeys.queryOptions({ projectId }, { refetchInterval: intervalMs }));
  if (data === undefined || data.length === 0) return null;
  return (
    <Stack gap="sm">
      <Title order={2} size="h4" mt="md">
        Upstream keys
      </Title>
      <Text fz="sm" c="dimmed" mt={-8}>
        Keys of upstreams that have several, by their places in the configuration. Calls go to the key with most room.
      </Text>
      <DataTable table={TABLE} rows={data} />
    </Stack>
  );
}

const TABLE: TableDescription<Key> = {
  caption: "Upstream keys",
  rowKey: ({ upstream, name }) => `${upstream} ${name}`,
  pageSize: 25,
  columns: [
    {
      heading: "Key",
      searchText: ({ upstream, name }) => `${upstream} ${name}`,
      cell: ({ upstream, name }) => (
        <Text fz="sm" fw={500} style={{ whiteSpace: "nowrap" }}>
          <Name>{upstream}</Name>{" "}
          <Text span inherit fw={400} c="dimmed">
            {name}
          </Text>
        </Text>
      ),
    },
    { heading: "State", cell: (key) => <State known={key} /> },
    { heading: "In progress", isNumeric: true, cell: ({ inFlight }) => formatNumber(inFlight) },
    { heading: "Limits left", isNumeric: true, cell: ({ headroom }) => <Headroom part={headroom} /> },
  ],
};

function State({ known }: { readonly known: Key }) {
  const [color, text] = describeState(known);
  return (
    <Badge variant="outline" color={color} size="sm" tt="none" fw={500} miw="max-content">
      {text}
    </Badge>
  );
}

function describeState({ state, forMs }: Key): readonly [color: string, text: string] {
  if (state === "ready") return ["var(--attune-good)", "ready"];
  if (state === "resting") return ["var(--mantine-color-dimmed)", `limit used up, rests for ${formatDuration(forMs)}`];
  const again = forMs > 0 ? `tried again in ${formatDuration(forMs)}` : "tried again with the next call";
  return ["var(--attune-bad)", `refused, ${again}`];
}
