import { Box, Button, Center, Group, Skeleton, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../../../web/api/trpc.ts";
import { ErrorNote } from "../../../../web/parts/error-note.tsx";
import { formatAgo, formatTime } from "../../../../web/parts/format.ts";
import { useProject } from "../../../../web/shell/session.ts";
import { LEARNED_REFRESH_MS } from "../learned-refresh.ts";
import { describeEvent } from "./event-description.ts";

/** Events that are shown at first. */
const FIRST = 8;

/** The events of the workload, newest first. */
export function EventsPart({ model }: { readonly model: string }) {
  const { id: projectId } = useProject();
  const events = useQuery(
    trpc.learning.history.queryOptions({ projectId, model }, { refetchInterval: LEARNED_REFRESH_MS }),
  );
  const [showsAll, setShowsAll] = useState(false);
  const all = events.data ?? [];
  const shown = showsAll ? all : all.slice(0, FIRST);
  return (
    <Box component="section" aria-label="History" className="attune-card" p="md">
      <Title order={2} size="h4">
        History
      </Title>
      <ErrorNote error={events.error} onRetry={() => void events.refetch()} />
      {events.isPending && <Skeleton h={80} mt="sm" />}
      {events.data?.length === 0 && (
        <Text fz="sm" c="dimmed" mt="sm">
          No events yet. They appear once Attune learns from feedback, or someone changes a setting.
        </Text>
      )}
      <ul className="attune-happenings">
        {shown.map((event) => {
          const { title, text } = describeEvent(event);
          return (
            <li key={event.id}>
              <Group justify="space-between" gap="xs" align="baseline">
                <Text fz="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
                  {title}
                </Text>
                <Text fz="xs" c="dimmed" title={formatTime(event.at)}>
                  {formatAgo(event.at)}
                </Text>
              </Group>
              <Text fz="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                {text}
              </Text>
            </li>
          );
        })}
      </ul>
      {all.length > shown.length && (
        <Center>
          <Button variant="default" size="xs" onClick={() => setShowsAll(true)}>
            Show all {all.length}
          </Button>
        </Center>
      )}
    </Box>
  );
}
