import { Box, Skeleton, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  readonly label: string;
  /** With its unit; undefined while it is on its way. */
  readonly value: ReactNode;
  /** The parts of the value, or what it is compared with. */
  readonly note?: ReactNode;
  /** The course of the figure, drawn below it. */
  readonly trend?: ReactNode;
  /** All digits, where the value is shortened. */
  readonly exact?: string;
}

/** One figure. */
export function StatCard({ label, value, note, exact, trend }: Props) {
  return (
    <Box className="attune-card" p="md">
      <Text fz="sm" c="dimmed" fw={500}>
        {label}
      </Text>
      {value === undefined ? (
        <Skeleton h={30} w="60%" mt={6} />
      ) : (
        <Text fz={26} fw={600} lh={1.3} title={exact}>
          {value}
        </Text>
      )}
      {trend}
      {note !== undefined && (
        <Text fz="xs" c="dimmed" mt={2}>
          {note}
        </Text>
      )}
    </Box>
  );
}
