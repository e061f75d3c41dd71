import { Box, Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconTag } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { trpc } from "../../../web/api/trpc.ts";
import { formatNumber } from "../../../web/parts/format.ts";
import { Page } from "../../../web/shell/page.tsx";
import { useProject } from "../../../web/shell/session.ts";
import { BodiesSetting } from "./bodies-setting.tsx";
import { OptimizationsSetting } from "./optimizations-setting.tsx";

/** The page of what holds for all calls of the project. */
export function SettingsPage() {
  return (
    <Page title="Settings" lead="These apply to all calls in this project. Owners and admins can change them." isNarrow>
      <Stack gap="sm">
        <Setting title="Stored texts" text="Store new requests and answers in full, as lengths only, or not at all.">
          <BodiesSetting />
        </Setting>
        <Setting
          title="Model aliases"
          text="Your own names for models, such as “fast”. Calls can use them instead of the model's name."
        >
          <NamesLink />
        </Setting>
        <Setting
          title="Failover, hedging and caches"
          text="Turn off single optimizations that make calls cheaper or faster with the same model."
        >
          <OptimizationsSetting />
        </Setting>
      </Stack>
    </Page>
  );
}

interface SettingProps {
  readonly title: string;
  readonly text: string;
  /** The button that shows the value, and leads to its change. */
  readonly children: ReactNode;
}

function Setting({ title, text, children }: SettingProps) {
  return (
    <Group className="attune-card" p="md" justify="space-between">
      <Box flex="1 1 240px">
        <Title order={2} size="h5">
          {title}
        </Title>
        <Text fz="sm" c="dimmed">
          {text}
        </Text>
      </Box>
      {children}
    </Group>
  );
}

function NamesLink() {
  const { id: projectId } = useProject();
  const { data } = useQuery(trpc.projectSettings.read.queryOptions({ projectId }));
  const count = data && Object.keys(data.aliases).length;
  return (
    <Button
      component={Link}
      to="names"
      relative="path"
      variant="default"
      leftSection={<IconTag size={16} aria-hidden />}
    >
      Aliases: {count === undefined ? "…" : count === 0 ? "none" : formatNumber(count)}
    </Button>
  );
}
