import { Group, Text } from "@mantine/core";
import { DASHBOARD_PATH } from "../dashboard-path.ts";

/** The name of the service with its sign. */
export function Logo() {
  return (
    <Group gap="xs">
      <img src={`${DASHBOARD_PATH}/icon.svg`} alt="" width={26} height={26} />
      <Text fw={650} fz="lg" lh={1}>
        Attune
      </Text>
    </Group>
  );
}
