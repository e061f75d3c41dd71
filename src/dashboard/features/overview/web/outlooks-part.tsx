import { Anchor, Box, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { describeOutlook, titleOutlooks } from "../../../../vocabulary/outlook.ts";
import { trpc } from "../../../web/api/trpc.ts";
import { nameText } from "../../../web/parts/name-text.ts";
import { useProject } from "../../../web/shell/session.ts";
import { TurnOnButton } from "../../workloads/web/mode-button.tsx";

const MOST_SHOWN = 5;
const REFRESH_MS = 30_000;

/** Says what the mode `on` would do in workloads that are only observed; nothing where that is not known to pay. */
export function OutlooksPart() {
  const { id: projectId } = useProject();
  const { data: outlooks = [] } = useQuery(
    trpc.learning.outlooks.queryOptions({ projectId }, { refetchInterval: REFRESH_MS }),
  );
  if (outlooks.length === 0) return null;
  const more = outlooks.length - MOST_SHOWN;
  const title = titleOutlooks(outlooks.map(({ outlook }) => outlook));
  return (
    <Box component="section" aria-label={title} className="attune-card" p="md">
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      <Stack gap="xs">
        {outlooks.slice(0, MOST_SHOWN).map(({ model, outlook }) => (
          <Group key={model} justify="space-between" gap="xs">
            <Text fz="sm" style={{ flex: "1 1 16rem" }}>
              <Anchor
                component={Link}
                to={`../workloads/${encodeURIComponent(model)}`}
                relative="path"
                fz="sm"
                fw={500}
              >
                {nameText(model)}
              </Anchor>
              : on would have answered {describeOutlook(outlook)}, by {outlook.rewards.toLocaleString("en-US")} rewards.
              By command: <code>attune workloads mode on --model {nameText(model)}</code>
            </Text>
            <TurnOnButton model={model} />
          </Group>
        ))}
        {more > 0 && (
          <Anchor component={Link} to="../workloads" relative="path" fz="sm">
            {more} more
          </Anchor>
        )}
      </Stack>
    </Box>
  );
}
