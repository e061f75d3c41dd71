import { ActionIcon, Badge, Box, Button, Group, Stack, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../../../web/api/trpc.ts";
import { Clamped } from "../../../../web/parts/clamped.tsx";
import { Confirm } from "../../../../web/parts/confirm.tsx";
import { formatAgo, formatTime } from "../../../../web/parts/format.ts";
import { nameText } from "../../../../web/parts/name-text.ts";
import { VerdictPart } from "../../../../web/parts/verdict-part.tsx";
import { mayAct, useProject } from "../../../../web/shell/session.ts";
import type { RequestDetails } from "../types.ts";
import { useKeyNames } from "../use-key-names.ts";
import { Section } from "./section.tsx";
import { useAddFeedback, useRequestPlace } from "./use-request.ts";

type Entry = RequestDetails["feedback"][number];

/** Entries that are shown at first: with more, the parts below would be screens away. */
const MOST_SHOWN = 8;

/** The feedback on the answer. */
export function FeedbackPart({
  feedback: all,
  hasEarlierFeedback,
}: Pick<RequestDetails, "feedback" | "hasEarlierFeedback">) {
  const feedback = all.filter(({ attempt }) => attempt === null);
  const mayRate = mayAct(useProject(), "playground.call");
  const mayRemove = mayAct(useProject(), "feedback.remove");
  const [removed, setRemoved] = useState<Entry>();
  const [isWhole, setIsWhole] = useState(false);
  // The latest are the last, and what is added here is shown.
  const shown = isWhole ? feedback : feedback.slice(-MOST_SHOWN);
  const { projectId, id } = useRequestPlace();
  const addFeedback = useAddFeedback(null);
  return (
    <Section title="Feedback">
      {feedback.length === 0 ? (
        <Text fz="sm" c="dimmed">
          None yet. Clients send it to <code>/v1/feedback</code> with the id.
        </Text>
      ) : (
        <Stack gap="sm">
          {hasEarlierFeedback && (
            <Text fz="sm" c="dimmed">
              The latest {feedback.length} are shown; an export has those from before too.
            </Text>
          )}
          {shown.length < feedback.length && (
            <Button variant="default" size="compact-sm" onClick={() => setIsWhole(true)}>
              Show all {feedback.length}
            </Button>
          )}
          {shown.map((entry) => (
            <FeedbackEntry key={entry.id} entry={entry} onRemove={mayRemove ? () => setRemoved(entry) : undefined} />
          ))}
        </Stack>
      )}
      <RemoveFeedback entry={removed} onClose={() => setRemoved(undefined)} />
      {mayRate && <VerdictPart projectId={projectId} inferenceId={id} source="dashboard" onSent={addFeedback} />}
    </Section>
  );
}

interface RemoveProps {
  /** Undefined where nothing is removed. */
  readonly entry: Entry | undefined;
  readonly onClose: () => void;
}

/** Asks before an entry is removed. */
function RemoveFeedback({ entry, onClose }: RemoveProps) {
  const { projectId } = useRequestPlace();
  const remove = useMutation(
    trpc.feedback.remove.mutationOptions({
      meta: { changes: [trpc.feedback.pathFilter(), trpc.history.pathFilter()] },
      onSuccess: onClose,
    }),
  );
  return (
    <Confirm
      isOpen={entry !== undefined}
      title={`Remove ${nameText(entry?.name ?? "")}?`}
      action="Remove the feedback"
      isPending={remove.isPending}
      onConfirm={() => entry && remove.mutate({ projectId, id: entry.id })}
      onClose={onClose}
    >
      Figures, datasets and what was learned follow. It can't be undone. The audit log has it.
    </Confirm>
  );
}

interface EntryProps {
  readonly entry: Entry;
  /** Undefined where it cannot be removed. */
  readonly onRemove?: (() => void) | undefined;
}

/** One value, with why it was said and by whom. */
export function FeedbackEntry({ entry, onRemove }: EntryProps) {
  const { name, value, kind, optimize, keyId, createdAt } = entry;
  const keyName = useKeyNames([keyId]);
  // The API keeps why something was said under this name among the tags.
  const { reason, ...tags } = entry.tags;
  return (
    <Box>
      <Group gap="xs" justify="space-between">
        <Text fz="sm" fw={500} style={{ overflowWrap: "anywhere" }}>
          {nameText(name)}
        </Text>
        <Group gap={4} wrap="nowrap">
          {kind !== "note" && <Value value={value} />}
          {onRemove && (
            <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${nameText(name)}`} onClick={onRemove}>
              <IconX size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      </Group>
      {kind === "note" && <Clamped text={String(value)} />}
      {reason !== undefined && <Clamped text={reason} />}
      <Group gap={6} mt={2}>
        <Text fz="xs" c="dimmed" title={formatTime(createdAt)}>
          {formatAgo(createdAt)}, {keyId === "" ? "by you" : `key ${keyName(keyId)}`}
          {entry.sessionId == null ? "" : ", on the session as a whole"}
          {optimize == null ? "" : optimize === "max" ? ", more is better" : ", less is better"}
        </Text>
        {Object.entries(tags).map(([key, tag]) => (
          <Badge key={key} variant="default" size="sm" tt="none" fw={400} maw="100%" data-verbatim>
            {nameText(key)}: {nameText(tag)}
          </Badge>
        ))}
      </Group>
    </Box>
  );
}

/** Writes a number of feedback with three decimals, and a smaller one with three digits; its title has all. */
function writeNumber(value: number): number {
  return Number(Math.abs(value) < 0.001 ? value.toPrecision(3) : value.toFixed(3));
}

function Value({ value }: { readonly value: Entry["value"] }) {
  if (typeof value !== "boolean") {
    const shown = typeof value === "number" ? writeNumber(value) : value;
    return (
      <Text fz="sm" title={String(value)}>
        {String(shown)}
      </Text>
    );
  }
  return (
    <Badge variant="filled" color={value ? "teal.9" : "red.9"} size="sm" tt="none">
      {value ? "yes" : "no"}
    </Badge>
  );
}
