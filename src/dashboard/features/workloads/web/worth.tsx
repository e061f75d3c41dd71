import { Box, Text } from "@mantine/core";
import { writeAhead, writeEstimate } from "./write-worth.ts";

interface Props {
  readonly estimate: Parameters<typeof writeEstimate>[0];
  /** True if it is a difference. */
  readonly isAhead?: boolean;
}

/** An estimate above its interval: beside each other they make a table wider than a phone. */
export function Worth({ estimate, isAhead = false }: Props) {
  const [value = "", ...interval] = (isAhead ? writeAhead : writeEstimate)(estimate).split(" ");
  return (
    <Box component="span" style={{ whiteSpace: "nowrap" }}>
      {value}
      <Text component="span" display="block" fz="xs" c="dimmed">
        {interval.join(" ").slice(1, -1)}
      </Text>
    </Box>
  );
}
