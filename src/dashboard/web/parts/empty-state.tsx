import { Center, Stack, Text, ThemeIcon } from "@mantine/core";
import type { Icon as IconType } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface Props {
  readonly Icon: IconType;
  readonly title: string;
  /** The first step to take. */
  readonly text: ReactNode;
  readonly action?: ReactNode;
}

/** The content of an empty page: what would be here, and what to do first. */
export function EmptyState({ Icon, title, text, action }: Props) {
  return (
    <Center p={{ base: "lg", sm: 40 }}>
      <Stack align="center" gap="xs" maw={460}>
        <ThemeIcon variant="light" size={44} radius="xl" aria-hidden>
          <Icon size={22} strokeWidth={1.6} />
        </ThemeIcon>
        <Text fw={600} ta="center" mt="xs">
          {title}
        </Text>
        <Text c="dimmed" fz="sm" ta="center">
          {text}
        </Text>
        {action !== undefined && <Center mt="sm">{action}</Center>}
      </Stack>
    </Center>
  );
}
