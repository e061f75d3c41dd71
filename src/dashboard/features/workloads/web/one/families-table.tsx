import { Stack, Text, Title } from "@mantine/core";
import { DataTable, type TableDescription } from "../../../../web/parts/data-table.tsx";
import { formatNumber } from "../../../../web/parts/format.ts";
import { Name } from "../../../../web/parts/name.tsx";
import { armName } from "../arm-name.ts";
import { familyName } from "../family-name.ts";
import type { WorkloadDetails } from "../types.ts";
import { Worth } from "../worth.tsx";

type Learned = NonNullable<WorkloadDetails["learned"]>;

/** Each kind of prompts, and whom feedback favours there. */
export function FamiliesTable({ learned: { families, familyCount } }: { readonly learned: Learned }) {
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        By kind of prompt
      </Title>
      <Text fz="sm" c="dimmed" mt={-8}>
        {familyCount > families.length &&
          `The ${families.length} with the most requests, of ${formatNumber(familyCount)}. `}
        A kind is a name that callers give, or all prompts with the same instructions, tools and schema. Attune splits a
        kind into groups of similar prompts where their feedback differs.
      </Text>
      <DataTable table={TABLE} rows={families} />
    </Stack>
  );
}

const TABLE: TableDescription<Learned["families"][number]> = {
  caption: "Kinds of prompts",
  rowKey: ({ name }) => name,
  columns: [
    { heading: "Kind", cell: ({ name }) => <Name>{familyName(name)}</Name> },
    { heading: "Requests", isNumeric: true, cell: ({ requests }) => formatNumber(Math.round(requests)) },
    { heading: "Rewards", isNumeric: true, isMinor: true, cell: ({ rewards }) => formatNumber(Math.round(rewards)) },
    { heading: "Base", isNumeric: true, cell: ({ base }) => <Worth estimate={base} /> },
    { heading: "Choice", cell: ({ chosen }) => <Name>{armName(chosen)}</Name> },
    { heading: "Its estimated reward", isNumeric: true, cell: ({ ofChosen }) => <Worth estimate={ofChosen} /> },
  ],
};
