import { Box, Button, Center, Group, Skeleton, Text, Title } from "@mantine/core";
import { useState } from "react";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { formatAgo, formatTime } from "../../../parts/format.ts";
import { useHappenings } from "../use-workloads.ts";
import { happeningWords } from "./event-description.ts";

/** Events that are shown at first. */
const FIRST = 8;

/** What happened to the workload, the latest first. */
export function HappeningsPart({ model }: { readonly model: string }) {
  const happenings = useHappenings(model);
  const [showsAll, setShowsAll] = useState(false);
  const all = happenings.data ?? [];
  const shown = showsAll ? all : all.slice(0, FIRST);
  return (
    <Box component="section" aria-label="What happened" className="attune-card" p="md">
      <Title order={2} size="h4">
        What happened
      </Title>
      <ErrorNote error={happenings.error} onRetry={() => void happenings.refetch()} />
      {happenings.isPending && <Skeleton h={80} mt="sm" />}
      {happenings.data?.length === 0 && (
        <Text fz="sm" c="dimmed" mt="sm">
          Nothing yet.
        </Text>
      )}
      <ul className="attune-happenings">
        {shown.map((happening) => {
          const { title, text } = happeningWords(happening);
          return (
            <li key={happening.id}>
              <Group justify="space-between" gap="xs" align="baseline">
                <Text fz="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
                  {title}
                </Text>
                <Text fz="xs" c="dimmed" title={formatTime(happening.at)}>
                  {formatAgo(happening.at)}
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
