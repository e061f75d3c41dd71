import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorNote } from "./error-note.tsx";
import { type SentEntry, sendFeedback } from "./send-feedback.ts";
import { VerdictButtons } from "./verdict-buttons.tsx";

interface Props {
  readonly projectId: string;
  readonly inferenceId: string;
  /** Tag that tells where it was said. */
  readonly source: string;
  /** Told what was taken. */
  readonly onSent?: (entries: readonly SentEntry[]) => void;
}

/** Takes a verdict on an answer, and a comment, as feedback on its inference. */
export function VerdictPart({ projectId, inferenceId, source, onSent }: Props) {
  const [comment, setComment] = useState("");
  const place = { projectId, answerId: inferenceId };
  const remark = useMutation({
    mutationFn: (text: string) => sendFeedback(place, { comment: text }, source),
    onSuccess: onSent,
    meta: { showsError: true },
  });
  return (
    <Stack gap="xs">
      <VerdictButtons place={place} source={source} onSent={onSent} />
      {remark.isSuccess ? (
        <Text fz="sm" c="dimmed">
          Your comment is sent too.
        </Text>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (comment.trim() !== "") remark.mutate(comment.trim());
          }}
        >
          <Group gap="xs">
            <TextInput
              size="xs"
              aria-label="Comment on the answer"
              placeholder="A comment, if you like"
              value={comment}
              onChange={({ currentTarget }) => setComment(currentTarget.value)}
              style={{ flex: 1 }}
            />
            <Button
              type="submit"
              size="xs"
              variant="default"
              loading={remark.isPending}
              disabled={comment.trim() === ""}
            >
              Send the comment
            </Button>
          </Group>
        </form>
      )}
      <ErrorNote error={remark.error} />
    </Stack>
  );
}
