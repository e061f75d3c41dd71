import { Badge, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Outputs, trpc } from "../../../web/api/trpc.ts";
import { DataTable, type TableDescription } from "../../../web/parts/data-table.tsx";
import { formatNumber, formatPercent, NONE } from "../../../web/parts/format.ts";
import { Name } from "../../../web/parts/name.tsx";
import { useProject } from "../../../web/shell/session.ts";
import { DeploymentName } from "./deployment-name.tsx";

type Audit = Outputs["models"]["audits"][number];
type Share = Audit["match"];

/** The table of equivalence audits; empty where no deployment was compared. */
export function AuditsTable({ intervalMs }: { readonly intervalMs: number | false }) {
  const { id: projectId } = useProject();
  const { data } = useQuery(trpc.models.audits.queryOptions({ projectId }, { refetchInterval: intervalMs }));
  if (data === undefined || data.length === 0) return null;
  return (
    <Stack gap="sm">
      <Title order={2} size="h4" mt="md">
        Equivalence
      </Title>
      <Text fz="sm" c="dimmed" mt={-8}>
        Attune also sends some requests to the first deployment of their model and compares the answers. Below each
        figure is the same measure for the first deployment with itself. A deployment with different answers is no
        longer called.
      </Text>
      <DataTable table={TABLE} rows={data} />
    </Stack>
  );
}

const TABLE: TableDescription<Audit> = {
  caption: "Equivalence",
  rowKey: ({ model, upstream, upstreamModel }) => `${model} ${upstream} ${upstreamModel}`,
  pageSize: 25,
  columns: [
    {
      heading: "Deployment",
      cell: (of) => <DeploymentName of={of} />,
    },
    { heading: "Model", isMinor: true, cell: ({ model }) => <Name>{model}</Name> },
    { heading: "Verdict", cell: (audit) => <Verdict audit={audit} /> },
    { heading: "Compared", isNumeric: true, cell: ({ samples }) => formatNumber(samples) },
    {
      heading: "Same answer (95%)",
      isNumeric: true,
      cell: ({ match, baseMatch }) => <WithFloor figure={writeShare(match)} floor={writeShare(baseMatch)} />,
    },
    {
      heading: "Texts differ by",
      isNumeric: true,
      cell: ({ distance, baseDistance }) => (
        <WithFloor figure={formatPercent(distance)} floor={formatPercent(baseDistance)} />
      ),
    },
  ],
};

function Verdict({ audit: { standing, differentBy } }: { readonly audit: Audit }) {
  const isDifferent = differentBy.length > 0;
  const text = isDifferent ? `different (${differentBy.join(", ")})` : "no difference found";
  const after = standing === "out" ? ", not asked" : standing === "trusted" ? ", trusted" : "";
  return (
    <Badge
      variant="outline"
      color={isDifferent ? "var(--attune-bad)" : "var(--attune-good)"}
      size="sm"
      tt="none"
      fw={500}
      miw="max-content"
    >
      {text}
      {after}
    </Badge>
  );
}

/** A figure of a deployment, and below it that of the first deployment and itself. */
function WithFloor({ figure, floor }: { readonly figure: string; readonly floor: string }) {
  return (
    <div style={{ whiteSpace: "nowrap" }}>
      {figure}
      <Text fz="xs" c="dimmed">
        {floor}
      </Text>
    </div>
  );
}

/** Of deterministic requests only. */
function writeShare(share: Share): string {
  if (share === null) return NONE;
  return `${formatPercent(share.estimate)} (${formatPercent(share.low)} to ${formatPercent(share.high)})`;
}
