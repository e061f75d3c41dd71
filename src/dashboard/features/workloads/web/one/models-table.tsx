import { Badge, Group, Stack, Text, Title } from "@mantine/core";
import { DataTable, type TableDescription } from "../../../../web/parts/data-table.tsx";
import { formatNumber, NONE } from "../../../../web/parts/format.ts";
import { Name } from "../../../../web/parts/name.tsx";
import { armName } from "../arm-name.ts";
import type { Figures, WorkloadDetails } from "../types.ts";
import { Worth } from "../worth.tsx";

type Arm = Figures["arms"][number];

interface Props {
  readonly figures: Figures;
  readonly holds: WorkloadDetails["holds"];
}

/** Base and the others, as they are thought to do on all of the workload's requests. */
export function ModelsOfWorkload({ figures, holds }: Props) {
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Base and other models
      </Title>
      <Text fz="sm" c="dimmed" mt={-8}>
        Estimates for the same mix of prompts. If a model has little feedback, its estimate draws on other workloads.
        Extra reward needed is what a more expensive model must earn to be worth its cost.
      </Text>
      <DataTable table={TABLE} rows={figures.arms} context={{ holds }} />
    </Stack>
  );
}

const TABLE: TableDescription<Arm, Pick<Props, "holds">> = {
  caption: "Base and other models",
  rowKey: ({ model }) => model,
  columns: [
    {
      heading: "Model",
      cell: ({ model, isBase }, { holds }) => (
        <Group gap={6} wrap="nowrap">
          <Name>{armName(model)}</Name>
          {isBase && <Badge variant="default">base</Badge>}
          {holds.excluded.includes(model) && <Badge variant="default">excluded</Badge>}
          {holds.hold?.kind === "pinned" && holds.hold.model === model && <Badge variant="default">pinned</Badge>}
        </Group>
      ),
    },
    { heading: "Estimated reward (95%)", isNumeric: true, cell: (arm) => <Worth estimate={arm} /> },
    {
      heading: "Against base (95%)",
      isNumeric: true,
      cell: ({ isBase, ahead }) => (isBase || ahead === null ? NONE : <Worth estimate={ahead} isAhead />),
    },
    { heading: "Rewards", isNumeric: true, cell: ({ rewards }) => formatNumber(Math.round(rewards)) },
    {
      heading: ({ holds }) => (holds.objective === "latency" ? "Latency relative to base" : "Cost relative to base"),
      isNumeric: true,
      isMinor: true,
      cell: ({ price }) => price.toFixed(2),
    },
    {
      heading: "Extra reward needed",
      isNumeric: true,
      isMinor: true,
      cell: ({ isBase, hasToEarn }) => (isBase ? NONE : hasToEarn.toFixed(3)),
    },
  ],
};
