import { Box, Stack, Text } from "@mantine/core";
import { IconThumbUp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../api/trpc.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Snippets } from "../../parts/snippets.tsx";
import { useProject } from "../../shell/session.ts";
import { useOrigin } from "../../shell/use-origin.ts";
import { feedbackSnippets } from "./snippets.ts";

/** The page before the first feedback: how to send some. */
export function SendFirst() {
  const { id: projectId } = useProject();
  const example = useQuery(trpc.feedback.example.queryOptions({ projectId }));
  const inferenceId = example.data?.inferenceId ?? undefined;
  const snippets = feedbackSnippets({ origin: useOrigin(), inferenceId });
  return (
    <Box className="attune-card" p="md">
      <EmptyState
        Icon={IconThumbUp}
        title="No feedback yet"
        text={
          inferenceId === undefined
            ? "Every answer has an id. Make a call first; then send what you think of its answer, on that id."
            : "Every answer has an id. Send what you think of one; this has the id of your latest call filled in."
        }
      />
      <Stack gap="xs" maw={760} mx="auto">
        <Snippets snippets={snippets} />
        <Text fz="sm" c="dimmed">
          Yes or no, numbers and texts: booleans become shares, numbers become means, texts become notes. ATTUNE_KEY is
          an API key of this project.
        </Text>
      </Stack>
    </Box>
  );
}
