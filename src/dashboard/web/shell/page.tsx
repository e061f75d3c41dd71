import { Anchor, Box, Group, Stack, Text, Title } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { type ReactNode, useEffect } from "react";
import { Link, type To } from "react-router";

interface Props {
  readonly title: string;
  /** The purpose of the page, in a sentence. */
  readonly lead?: ReactNode;
  /** The page that this one is below of, by its path from here. */
  readonly back?: { readonly label: string; readonly to: To };
  /** Buttons and pickers of the whole page. */
  readonly actions?: ReactNode;
  /** True for forms: lines of a whole wide screen would be torn apart. */
  readonly isNarrow?: boolean;
  readonly children: ReactNode;
}

/** The frame of a page: its title, also of the browser's tab, what it is for, and its actions. */
export function Page({ title, lead, back, actions, isNarrow = false, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Attune`;
  }, [title]);
  return (
    <Stack gap="lg" className="attune-page" data-narrow={isNarrow || undefined}>
      <Group justify="space-between" align="flex-end" gap="md">
        <Box>
          {back !== undefined && (
            <Anchor component={Link} to={back.to} relative="path" fz="sm" className="attune-back">
              <IconArrowLeft size={14} aria-hidden />
              {back.label}
            </Anchor>
          )}
          <Title order={1} fz={24} lh={1.3}>
            {title}
          </Title>
          {lead !== undefined && (
            <Text c="dimmed" fz="sm" mt={4} maw={640}>
              {lead}
            </Text>
          )}
        </Box>
        {actions !== undefined && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
