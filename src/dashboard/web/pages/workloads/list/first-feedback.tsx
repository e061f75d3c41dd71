import { Box, Stack, Text } from "@mantine/core";
import { IconThumbUp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../../api/trpc.ts";
import { EmptyState } from "../../../parts/empty-state.tsx";
import { Snippets } from "../../../parts/snippets.tsx";
import { useProject, useSession } from "../../../shell/session.ts";
import { useOrigin } from "../../../shell/use-origin.ts";
import { firstFeedbackSnippets } from "./feedback-snippets.ts";

/** The page before the first feedback: nothing is learned without any. */
export function FirstFeedback() {
  const { exampleModel } = useSession();
  const { id: projectId } = useProject();
  const example = useQuery(trpc.feedback.example.queryOptions({ projectId }));
  const inferenceId = example.data?.inferenceId ?? undefined;
  const snippets = firstFeedbackSnippets({ origin: useOrigin(), model: exampleModel, inferenceId });
  return (
    <Box component="section" aria-label="How to send feedback" className="attune-card" p="md">
      <EmptyState
        Icon={IconThumbUp}
        title="No feedback yet"
        text={
          inferenceId === undefined
            ? "Every answer has an id. Send feedback with that id. Attune then finds the best model for each " +
              "kind of prompt."
            : "Every answer has an id. Send feedback with that id. The curl call contains the id of your latest call."
        }
      />
      <Stack gap="xs" maw={760} mx="auto">
        <Snippets snippets={snippets} />
        <Text fz="sm" c="dimmed">
          A yes or no, or a number; with <code>"optimize": "min"</code> less is better. Clients of the Messages format
          do the same with the id of the message and <code>client.post("/v1/feedback")</code>. ATTUNE_KEY is an API key
          of this project.
        </Text>
      </Stack>
    </Box>
  );
}
