import { Box, Group, Stack, Text, Title } from "@mantine/core";
import type { RankedSignal } from "../../../../../hub/candidate-signals.ts";
import { DataTable, type TableDescription } from "../../../../web/parts/data-table.tsx";
import type { WorkloadDetails } from "../types.ts";
import { selectorWords } from "./selector-words.ts";

type Selection = NonNullable<NonNullable<WorkloadDetails["learned"]>["selection"]>;
type Weight = Selection["weights"][number];

interface Props {
  readonly selection: Selection;
  readonly holds: WorkloadDetails["holds"];
}

/** The learned choice among several answers: its accuracy, and its weights. */
export function SelectorPart({ selection, holds }: Props) {
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Best of several answers
      </Title>
      <Text fz="sm" c="dimmed" mt={-8} maw={820}>
        {selectorWords(selection, holds)}
      </Text>
      <DataTable table={TABLE} rows={selection.weights} />
    </Stack>
  );
}

/** The meaning of a higher value of each signal. */
const SIGNALS: Readonly<Record<RankedSignal, readonly [name: string, text: string]>> = {
  agreement: ["Agreement", "agrees more with the others"],
  length: ["Length", "is longer than the others, by its logarithm"],
  unusual: ["Unusual length", "is further from the usual length"],
  order: ["Order", "came later"],
  elsewhere: ["Elsewhere", "came from another deployment than the first"],
  proven: ["Proven form", "an automatic check confirmed the requested form"],
  confidence: ["Log-probability", "its tokens were more probable, if the request asked for probabilities"],
  model: ["Model", "its model is expected to be worth more for such requests"],
};

const TABLE: TableDescription<Weight> = {
  caption: "Ranking signals",
  rowKey: ({ signal }) => signal,
  columns: [
    {
      heading: "Signal",
      cell: ({ signal }) => (
        <Box miw={140} maw={360}>
          <Text fz="sm" fw={500}>
            {SIGNALS[signal][0]}
          </Text>
          <Text fz="xs" c="dimmed">
            {SIGNALS[signal][1]}
          </Text>
        </Box>
      ),
    },
    {
      heading: "Weight (95%)",
      isNumeric: true,
      cell: ({ weight, doubt }) => (
        <Group justify="flex-end" gap={6} wrap="nowrap">
          <Text span fz="sm">
            {signed(weight)}
          </Text>
          <Text span fz="xs" c="dimmed">
            ± {(1.96 * doubt).toFixed(2)}
          </Text>
        </Group>
      ),
    },
  ],
};

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}
