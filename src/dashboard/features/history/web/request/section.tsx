import { Box, Stack, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useId } from "react";

interface Props {
  readonly title: string;
  /** True if it is closed at first where all parts stand below each other. */
  readonly isMinor?: boolean;
  readonly children: ReactNode;
}

/** The width up to which the page has one column: see history.css. */
const NARROW = "(max-width: 75em)";

/** A part of a request's page. */
export function Section({ title, isMinor = false, children }: Props) {
  const id = useId();
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const isClosed = isMinor && isNarrow;
  const heading = (
    <Title order={2} size="h5" id={id} display={isClosed ? "inline" : undefined}>
      {title}
    </Title>
  );
  return (
    <Box component="section" className="attune-card" p="md" aria-labelledby={id}>
      {isClosed ? (
        <details className="attune-closed">
          <summary>{heading}</summary>
          <Stack gap="sm">{children}</Stack>
        </details>
      ) : (
        <Stack gap="sm">
          {heading}
          {children}
        </Stack>
      )}
    </Box>
  );
}
