import { Box, Table, Text, Title } from "@mantine/core";
import { formatCost, formatShortCost } from "../../parts/format.ts";
import { listSavings } from "../../parts/saving-names.ts";
import type { Figures } from "./figures.ts";

/** Tells by kind what was saved against plain calls, and how that is estimated; nothing where nothing was. */
export function SavedPart({ figures }: { readonly figures: Figures | undefined }) {
  const kinds = listSavings(figures?.total.saved ?? {});
  if (kinds.length === 0) return null;
  return (
    <Box className="attune-card" p="md">
      <Title order={2} size="h5" mb="xs">
        Saved, by kind
      </Title>
      <Table.ScrollContainer minWidth={300} type="native">
        <Table fz="sm" verticalSpacing={6} horizontalSpacing={6} aria-label="Saved, by kind">
          <Table.Tbody>
            {kinds.map(({ kind, label, text, nanos }) => (
              <Table.Tr key={kind}>
                <Table.Td>
                  {label}
                  <Text fz="xs" c="dimmed">
                    {text}
                  </Text>
                </Table.Td>
                <Table.Td ta="right" title={formatCost(nanos)}>
                  {formatShortCost(nanos)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text fz="sm" c="dimmed" mt="xs">
        An estimate: each call is compared with a plain call of the requested model at its first deployment, with the
        same tokens, at the configured prices. Negative: what it cost more.
      </Text>
    </Box>
  );
}
