import { Badge, Group, Stack, Text, Title } from "@mantine/core";
import { type Column, DataTable } from "../../../parts/data-table.tsx";
import { formatDuration, formatNumber, NONE } from "../../../parts/format.ts";
import { Name } from "../../../parts/name.tsx";
import { armName } from "../arm-name.ts";
import type { WorkloadDetails } from "../use-workloads.ts";

type Wait = NonNullable<WorkloadDetails["learned"]>["waits"][number];

interface Props {
  readonly waits: readonly Wait[];
  readonly base: string;
}

const KINDS: Readonly<Record<Wait["kind"], string>> = {
  unary: "Answer, not streamed",
  firstToken: "First token of a stream",
  streamed: "End of a stream",
};

/** How long callers wait for the best of several answers, and for those of base. */
export function WaitsPart({ waits, base }: Props) {
  const columns: Column<Wait>[] = [
    { heading: "Wait for", cell: ({ kind }) => <Text fz="sm">{KINDS[kind]}</Text> },
    {
      heading: "Answers of",
      cell: ({ arm }) => (
        <Group gap={6} wrap="nowrap">
          <Name>{armName(arm)}</Name>
          {arm === base && <Badge variant="default">base</Badge>}
        </Group>
      ),
    },
    { heading: "Mean", isNumeric: true, cell: ({ meanMs }) => formatDuration(meanMs) },
    {
      heading: "Times base, 95 %",
      isNumeric: true,
      cell: ({ slowdown }) =>
        slowdown === undefined ? NONE : `${slowdown.mean.toFixed(2)} ± ${(1.96 * slowdown.doubt).toFixed(2)}`,
    },
    { heading: "Answers", isNumeric: true, isMinor: true, cell: ({ count }) => formatNumber(Math.round(count)) },
  ];
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        The wait for several answers
      </Title>
      <Text fz="sm" c="dimmed" mt={-8} maw={820}>
        Of those that nobody asked for, against base in the same families. An arm that is surely slower than the model's
        configuration allows (candidates.maxSlowdown) is not asked any more.
      </Text>
      <DataTable
        caption="The wait for several answers"
        columns={columns}
        rows={waits}
        keyOf={({ arm, kind }) => `${kind} ${arm}`}
      />
    </Stack>
  );
}
