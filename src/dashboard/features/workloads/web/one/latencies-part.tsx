import { Badge, Group, Stack, Text, Title } from "@mantine/core";
import { DataTable, type TableDescription } from "../../../../web/parts/data-table.tsx";
import { formatLatency, formatNumber, NONE } from "../../../../web/parts/format.ts";
import { Name } from "../../../../web/parts/name.tsx";
import { armName } from "../arm-name.ts";
import type { WorkloadDetails } from "../types.ts";

type Latency = NonNullable<WorkloadDetails["learned"]>["latencies"][number];

interface Props {
  readonly latencies: readonly Latency[];
  readonly base: string;
}

const KINDS: Readonly<Record<Latency["kind"], string>> = {
  unary: "Answer (not streamed)",
  firstToken: "First token of a stream",
  streamed: "End of a stream",
};

/** The latency of the best of several answers beside that of base. */
export function LatenciesPart({ latencies, base }: Props) {
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Latency of best-of-n
      </Title>
      <Text fz="sm" c="dimmed" mt={-8} maw={820}>
        Latency of automatic best-of-n answers, against base for the same kinds of prompts. Attune stops using an arm
        that is slower than candidates.maxSlowdown of the model allows.
      </Text>
      <DataTable table={TABLE} rows={latencies} context={{ base }} />
    </Stack>
  );
}

/** Nothing takes less than no time, however little is known. */
function describeTimes({ mean, doubt }: NonNullable<Latency["slowdown"]>): string {
  const [low, high] = [Math.max(0, mean - 1.96 * doubt), mean + 1.96 * doubt];
  return `${mean.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

const TABLE: TableDescription<Latency, Pick<Props, "base">> = {
  caption: "Latency of best-of-n",
  rowKey: ({ arm, kind }) => `${kind} ${arm}`,
  columns: [
    { heading: "Until", cell: ({ kind }) => <Text fz="sm">{KINDS[kind]}</Text> },
    {
      heading: "Answers of",
      cell: ({ arm }, { base }) => (
        <Group gap={6} wrap="nowrap">
          <Name>{armName(arm)}</Name>
          {arm === base && <Badge variant="default">base</Badge>}
        </Group>
      ),
    },
    { heading: "Mean", isNumeric: true, cell: ({ meanMs }) => formatLatency(meanMs) },
    {
      heading: "Times base (95%)",
      isNumeric: true,
      cell: ({ slowdown }) => (slowdown === undefined ? NONE : describeTimes(slowdown)),
    },
    { heading: "Answers", isNumeric: true, isMinor: true, cell: ({ count }) => formatNumber(Math.round(count)) },
  ],
};
