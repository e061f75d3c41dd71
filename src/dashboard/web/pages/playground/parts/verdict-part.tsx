import { ActionIcon, Button, Group, Stack, Text, TextInput, Tooltip } from "@mantine/core";
import { IconThumbDown, IconThumbUp } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorNote } from "../../../parts/error-note.tsx";
import { textAt } from "../formats/json.ts";
import { playgroundUrl } from "../send.ts";

interface Props {
  readonly projectId: string;
  readonly inferenceId: string;
}

type Feedback = Readonly<Record<string, boolean | string>>;

/** Takes a verdict on an answer, and a comment, as feedback on its inference. */
export function VerdictPart({ projectId, inferenceId }: Props) {
  const [comment, setComment] = useState("");
  const give = useMutation({
    mutationFn: (feedback: Feedback) => sendFeedback(projectId, inferenceId, feedback),
    meta: { showsError: true },
  });
  const remark = useMutation({
    mutationFn: (text: string) => sendFeedback(projectId, inferenceId, { comment: text }),
    meta: { showsError: true },
  });
  const given = give.isSuccess ? give.variables["helpful"] : undefined;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Text fz="sm">{given === undefined ? "Was this helpful?" : "Thank you: sent as feedback."}</Text>
        {VERDICTS.map(({ helpful, label, Icon }) => (
          <Tooltip key={label} label={label}>
            <ActionIcon
              variant={given === helpful ? "filled" : "default"}
              aria-label={label}
              aria-pressed={given === helpful}
              loading={give.isPending && give.variables["helpful"] === helpful}
              disabled={given !== undefined}
              onClick={() => give.mutate({ helpful })}
            >
              <Icon size={16} />
            </ActionIcon>
          </Tooltip>
        ))}
      </Group>
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
      <ErrorNote error={give.error ?? remark.error} />
    </Stack>
  );
}

const VERDICTS = [
  { helpful: true, label: "Helpful", Icon: IconThumbUp },
  { helpful: false, label: "Not helpful", Icon: IconThumbDown },
];

async function sendFeedback(projectId: string, id: string, feedback: Feedback): Promise<void> {
  const response = await fetch(playgroundUrl(projectId, "/v1/feedback"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify([{ id, feedback, tags: { source: "playground" } }]),
  });
  const body: unknown = await response.json();
  const wrong = response.ok ? textAt(body, 0, "error", "message") : textAt(body, "error", "message");
  if (!response.ok || wrong !== "") throw new Error(wrong || `status ${response.status}`);
}
