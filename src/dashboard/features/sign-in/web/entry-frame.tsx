import { Box, Center, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { Logo } from "../../../web/shell/logo.tsx";

interface Props {
  readonly title: string;
  readonly lead: ReactNode;
  readonly children: ReactNode;
}

/** The frame of the pages before anyone is signed in. */
export function EntryFrame({ title, lead, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Attune`;
  }, [title]);
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={420} gap="lg">
        <Center>
          <Logo />
        </Center>
        <Box className="attune-card" p={{ base: "lg", sm: "xl" }}>
          <Stack gap="md">
            <Box>
              <Title order={1} size="h3">
                {title}
              </Title>
              <Text c="dimmed" fz="sm" mt={4}>
                {lead}
              </Text>
            </Box>
            {children}
          </Stack>
        </Box>
        <InsecureNote />
      </Stack>
    </Center>
  );
}

/** Passwords that cross a network in the clear deserve a word. */
function InsecureNote() {
  if (globalThis.isSecureContext) return null;
  return (
    <Text fz="xs" c="dimmed" ta="center">
      This connection is not encrypted. Use https, or an address of this machine such as localhost.
    </Text>
  );
}
