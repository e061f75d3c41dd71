import { Badge, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Outputs, trpc } from "../../../web/api/trpc.ts";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatAgo, formatLatency, formatNumber, formatTime } from "../../../web/parts/format.ts";
import { Name } from "../../../web/parts/name.tsx";
import { useProject } from "../../../web/shell/session.ts";
import { formatMillion } from "../../history/web/request/format-price.ts";
import { DeploymentName } from "./deployment-name.tsx";
import { Headroom } from "./headroom.tsx";

type Deployment = Outputs["models"]["deployments"]["deployments"][number];

/** The table of deployments and their health. */
export function DeploymentsTable({ intervalMs }: { readonly intervalMs: number | false }) {
  const { id: projectId } = useProject();
  const { data, error, refetch } = useQuery(
    trpc.models.deployments.queryOptions({ projectId }, { refetchInterval: intervalMs }),
  );
  if (error !== null && data === undefined) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap="sm">
      <Title order={2} size="h4" mt="md">
        Deployments
      </Title>
      <Text fz="sm" c="dimmed" mt={-8}>
        Deployments of models, as this process sees them now. A failing deployment is called last and returns step by
        step.{" "}
        {data !== undefined && (
          <span title={formatTime(data.configuredAt)}>Configuration read {formatAgo(data.configuredAt)}.</span>
        )}
      </Text>
      <DataTable table={TABLE} rows={data?.deployments} />
    </Stack>
  );
}

const TABLE: TableDescription<Deployment> = {
  caption: "Deployments",
  rowKey: ({ upstream, upstreamModel }) => `${upstream} ${upstreamModel}`,
  pageSize: 25,
  columns: [
    {
      heading: "Deployment",
      searchText: ({ upstream, upstreamModel }) => `${upstream} ${upstreamModel}`,
      cell: (of) => (
        <>
          <DeploymentName of={of} />
          {of.host !== null && (
            <Text fz="xs" c="dimmed">
              {of.host}
            </Text>
          )}
        </>
      ),
    },
    {
      heading: "Serves",
      searchText: ({ models }) => models.join(" "),
      isMinor: true,
      cell: (deployment) => <Serves deployment={deployment} />,
    },
    {
      heading: "Price per million, input / output",
      isNumeric: true,
      cell: ({ prices }) => <Price prices={prices} />,
    },
    { heading: "State", cell: (deployment) => <State deployment={deployment} /> },
    { heading: "In progress", isNumeric: true, cell: ({ inFlight }) => formatNumber(inFlight) },
    { heading: "First token, worst", isNumeric: true, cell: ({ peakMs }) => formatLatency(peakMs) },
    { heading: "Limits left", isNumeric: true, cell: ({ headroom }) => <Headroom part={headroom} /> },
  ],
};

/** Models that are named; the number of the others follows. */
const NAMED = 4;

function listed(models: readonly string[]): string {
  const others = models.length - NAMED;
  return others <= 0 ? models.join(", ") : `${models.slice(0, NAMED).join(", ")} and ${others} more`;
}

function Serves({ deployment: { models, embeddings } }: { readonly deployment: Deployment }) {
  return (
    <>
      <Name lines={2}>{listed(models)}</Name>
      {embeddings && (
        <Text span inherit c="dimmed">
          {" "}
          (embeddings)
        </Text>
      )}
    </>
  );
}

/** The price of a deployment; of one whose models differ, how many there are. */
function Price({ prices }: Pick<Deployment, "prices">) {
  const [price] = prices;
  if (price === undefined) return <>not configured</>;
  if (prices.length > 1) return <>{formatNumber(prices.length)} prices</>;
  return (
    <span className="attune-nowrap">
      {formatMillion(price.inputPicos)} / {formatMillion(price.outputPicos)}
    </span>
  );
}

function State({ deployment }: { readonly deployment: Deployment }) {
  const [color, text] = describeState(deployment);
  return (
    <Badge variant="outline" color={color} size="sm" tt="none" fw={500} miw="max-content">
      {text}
    </Badge>
  );
}

function describeState({
  isOut,
  returned,
  failures,
  hasSucceeded,
}: Deployment): readonly [color: string, text: string] {
  if (isOut) return ["var(--attune-bad)", "failing, called last"];
  if (failures > 0) {
    const calls = failures === 1 ? "last call failed" : `last ${formatNumber(failures)} calls failed`;
    return ["var(--attune-bad)", hasSucceeded ? calls : `${calls}, no success yet`];
  }
  if (returned < 1) return ["var(--mantine-color-dimmed)", "coming back"];
  return hasSucceeded ? ["var(--attune-good)", "healthy"] : ["var(--mantine-color-dimmed)", "not called yet"];
}
