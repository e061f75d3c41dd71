import { Box, Stack, Text, Title } from "@mantine/core";
import { FeedbackEntry } from "../history/request/feedback-part.tsx";
import type { SessionRun } from "./use-session-run.ts";

/** Shows feedback on the session as a whole; feedback on a call stands with the call. */
export function RunFeedback({ feedback }: Pick<SessionRun, "feedback">) {
  const ofSession = feedback.filter(({ sessionId }) => sessionId !== null);
  return (
    <Box component="section" aria-label="Feedback on the session" className="attune-card" p="md">
      <Title order={2} size="h5" mb="xs">
        Feedback on the session
      </Title>
      {ofSession.length === 0 ? (
        <Text fz="sm" c="dimmed">
          None yet. <code>attune feedback --session ID passed=true</code> sends it, and so does{" "}
          <code>POST /v1/feedback</code> with <code>session</code> in place of an id.
        </Text>
      ) : (
        <Stack gap="sm">
          {ofSession.map((entry) => (
            <FeedbackEntry key={entry.id} entry={entry} />
          ))}
        </Stack>
      )}
    </Box>
  );
}
