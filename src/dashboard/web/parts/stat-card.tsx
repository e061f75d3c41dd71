import { Box, Group, Skeleton, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  readonly label: string;
  /** With its unit; undefined while it is on its way. */
  readonly value: ReactNode;
  /** The change of the value, beside it. */
  readonly change?: ReactNode;
  /** The parts of the value, in a line. */
  readonly note?: ReactNode;
  /** The course of the figure, drawn below it. */
  readonly trend?: ReactNode;
  /** All digits, where the value is shortened. */
  readonly exact?: string;
}

/** One figure. */
export function StatCard({ label, value, change, note, exact, trend }: Props) {
  return (
    <Box className="attune-card" p="md">
      <Text fz="sm" c="dimmed" fw={500}>
        {label}
      </Text>
      {value === undefined ? (
        <Skeleton h={30} w="60%" mt={6} />
      ) : (
        <Group gap="0 0.5rem" align="baseline" mb={trend === undefined ? 0 : 4}>
          <Text fz={24} fw={600} lh={1.3} title={exact}>
            {value}
          </Text>
          {change !== undefined && (
            <Text span fz="xs" c="dimmed">
              {change}
            </Text>
          )}
        </Group>
      )}
      {trend}
      {note !== undefined && (
        <Text fz="xs" c="dimmed" mt={4}>
          {note}
        </Text>
      )}
    </Box>
  );
}
