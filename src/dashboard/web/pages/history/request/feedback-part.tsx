import { Badge, Box, Group, Stack, Text } from "@mantine/core";
import { Clamped } from "../../../parts/clamped.tsx";
import { formatAgo, formatTime } from "../../../parts/format.ts";
import { nameText } from "../../../parts/name-text.ts";
import { VerdictPart } from "../../../parts/verdict-part.tsx";
import { mayAct, useProject } from "../../../shell/session.ts";
import type { RequestDetails } from "../types.ts";
import { useKeyNames } from "../use-key-names.ts";
import { Section } from "./section.tsx";
import { useAddFeedback, useRequestPlace } from "./use-request.ts";

type Entry = RequestDetails["feedback"][number];

/** The feedback on the answer. */
export function FeedbackPart({
  feedback: all,
  hasEarlierFeedback,
}: Pick<RequestDetails, "feedback" | "hasEarlierFeedback">) {
  const feedback = all.filter(({ attempt }) => attempt === null);
  const mayRate = mayAct(useProject(), "playground.call");
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
          {feedback.map((entry) => (
            <FeedbackEntry key={entry.id} entry={entry} />
          ))}
        </Stack>
      )}
      {mayRate && <VerdictPart projectId={projectId} inferenceId={id} source="dashboard" onSent={addFeedback} />}
    </Section>
  );
}

/** One value, with why it was said and by whom. */
export function FeedbackEntry({ entry }: { readonly entry: Entry }) {
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
        {kind !== "note" && <Value value={value} />}
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

function Value({ value }: { readonly value: Entry["value"] }) {
  if (typeof value !== "boolean") {
    const shown = typeof value === "number" ? Number(value.toPrecision(6)) : value;
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
