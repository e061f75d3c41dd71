import { Box, Group, Text } from "@mantine/core";
import { formatPercent } from "../../../web/parts/format.ts";
import "./models.css";

/** Below this part of its limits a deployment, or a key, is spared. */
const SCARCE = 0.2;

/** The part of limits that is left, with a bar, so that what runs out is seen before it is read. */
export function Headroom({ part }: { readonly part: number | null }) {
  if (part === null)
    return (
      <Text fz="sm" c="dimmed">
        not reported
      </Text>
    );
  const color = part < SCARCE ? "var(--attune-bad)" : "var(--attune-good)";
  return (
    <Box>
      <Group justify="flex-end">{formatPercent(part)}</Group>
      <Box className="attune-cell-bar" ml="auto" mt={4} aria-hidden>
        <Box h="100%" style={{ width: `${Math.round(part * 100)}%`, background: color }} />
      </Box>
    </Box>
  );
}
