import { Box, Stack, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

/** A part of a request's page. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <Box component="section" className="attune-card" p="md" aria-labelledby={id}>
      <Title order={2} size="h5" mb="sm" id={id}>
        {title}
      </Title>
      <Stack gap="sm">{children}</Stack>
    </Box>
  );
}
