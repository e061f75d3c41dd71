import { Group, Text } from "@mantine/core";

/** The name of the service with its sign. */
export function Logo() {
  return (
    <Group gap="xs">
      <img src="/dashboard/icon.svg" alt="" width={26} height={26} />
      <Text fw={650} fz="lg" lh={1}>
        Attune
      </Text>
    </Group>
  );
}
