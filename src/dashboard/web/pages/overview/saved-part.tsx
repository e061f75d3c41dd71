import { Box, Table, Text, Title } from "@mantine/core";
import { formatCost, formatShortCost } from "../../parts/format.ts";
import { listSavings } from "../../parts/saving-names.ts";
import type { Figures } from "./use-figures.ts";

/** Tells by kind what was saved against plain calls, and how that is estimated; nothing where nothing was. */
export function SavedPart({ figures }: { readonly figures: Figures | undefined }) {
  const kinds = listSavings(figures?.total.saved ?? {});
  if (kinds.length === 0) return null;
  return (
    <Box className="attune-card">
      <Title order={2} size="h5">
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
      <Text fz="sm" c="dimmed">
        An estimate: each call is compared with the plain call that it would have been, of the model that was asked for
        at its first deployment, with as many tokens, at the prices of the configuration. Less than nothing is what was
        spent for speed and certainty.
      </Text>
    </Box>
  );
}
