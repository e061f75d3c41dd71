import { Box, Stack, Text } from "@mantine/core";
import { IconThumbUp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../../web/api/trpc.ts";
import { EmptyState } from "../../../web/parts/empty-state.tsx";
import { Snippets } from "../../../web/parts/snippets.tsx";
import { useProject, useSession } from "../../../web/shell/session.ts";
import { useOrigin } from "../../../web/shell/use-origin.ts";
import { feedbackSnippets } from "./feedback-snippets.ts";

/** Shows how to send feedback to a project that has none: nothing is learned without any. */
export function FirstFeedback() {
  const { exampleModel } = useSession();
  const { id: projectId } = useProject();
  const example = useQuery(trpc.feedback.example.queryOptions({ projectId }));
  const inferenceId = example.data?.inferenceId ?? undefined;
  const snippets = feedbackSnippets({ origin: useOrigin(), model: exampleModel, inferenceId });
  return (
    <Box component="section" aria-label="How to send feedback" className="attune-card" p="md">
      <EmptyState
        Icon={IconThumbUp}
        title="No feedback yet"
        text={
          inferenceId === undefined
            ? "Every answer has an id. Send a call first, then send feedback with the id of its answer. Attune then " +
              "finds the best model for each kind of prompt."
            : "Every answer has an id. Send feedback with that id. The curl call contains the id of your latest call."
        }
      />
      <Stack gap="xs" maw={760} mx="auto">
        <Snippets snippets={snippets} />
        <Text fz="sm" c="dimmed">
          Send true, false, a number or a text: they are shown as shares, means and notes. Add{" "}
          <code>"optimize": "min"</code> if less is better. With the Messages format, use the message id and{" "}
          <code>client.post("/v1/feedback")</code>. ATTUNE_KEY is an API key of this project.
        </Text>
      </Stack>
    </Box>
  );
}
