import { Box, Group, Text, Title } from "@mantine/core";
import { BodiesSetting } from "./bodies-setting.tsx";

/** The setting of what the project stores of its requests. */
export function StorageSetting() {
  return (
    <Group className="attune-card" p="md" justify="space-between">
      <Box flex="1 1 240px">
        <Title order={3} size="h5">
          Texts of requests and answers
        </Title>
        <Text fz="sm" c="dimmed">
          What History stores of new calls: full texts, their lengths only, or nothing but facts.
        </Text>
      </Box>
      <BodiesSetting />
    </Group>
  );
}
