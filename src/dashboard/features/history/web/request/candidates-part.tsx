import { Badge, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { CopyButton } from "../../../../web/parts/copy-button.tsx";
import { formatLatency, formatShortCost, markEstimate } from "../../../../web/parts/format.ts";
import { nameText } from "../../../../web/parts/name-text.ts";
import { VerdictButtons } from "../../../../web/parts/verdict-buttons.tsx";
import { mayAct, useProject } from "../../../../web/shell/session.ts";
import { StatusBadge } from "../status-badge.tsx";
import type { AttemptData, ContentData, RequestDetails } from "../types.ts";
import { Blocks } from "./block-view.tsx";
import { failedText, reasonText, signalsText } from "./candidate-words.ts";
import { FeedbackEntry } from "./feedback-part.tsx";
import { Section } from "./section.tsx";
import { useAddFeedback } from "./use-request.ts";

interface Props {
  readonly attempts: readonly AttemptData[];
  /** Null where no texts were kept. */
  readonly content: Pick<ContentData, "answer" | "notChosen"> | null;
  readonly feedback: RequestDetails["feedback"];
}

/**
 * The answers that were to be chosen from, side by side: what each says, what it cost, and why it was given or not.
 * Nothing where one was asked for.
 */
export function CandidatesPart({ attempts, content, feedback }: Props) {
  const candidates = attempts.filter(({ role }) => role === "candidate");
  if (candidates.length === 0) return null;
  return (
    <Section title="Candidates">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        {candidates.map((attempt) => (
          <Candidate
            key={attempt.position}
            attempt={attempt}
            content={content}
            feedback={feedback.filter((entry) => entry.attempt === attempt.position)}
          />
        ))}
      </SimpleGrid>
    </Section>
  );
}

function Candidate({ attempt, content, feedback }: Omit<Props, "attempts"> & { readonly attempt: AttemptData }) {
  const { position, upstream, upstreamModel, isWinner } = attempt;
  const name = `${position + 1}. ${nameText(upstream)} as ${nameText(upstreamModel)}`;
  const cost = markEstimate(formatShortCost(attempt.costNanos), attempt.usageEstimated);
  const { errorReason, errorMessage } = attempt;
  const failure = errorReason == null ? undefined : `${errorReason.replaceAll("_", " ")}: ${errorMessage ?? ""}`;
  const notes = [reasonText(attempt), signalsText(attempt), failedText(attempt), failure].filter(
    (text) => text !== undefined,
  );
  return (
    <article className="attune-message" aria-label={name}>
      <Stack gap="xs">
        <Group gap={6}>
          <Text span fz="xs" fw={600}>
            {name}
          </Text>
          {isWinner ? (
            <Badge variant="outline" color="var(--attune-good)" size="sm" tt="none" fw={500}>
              chosen
            </Badge>
          ) : (
            <StatusBadge status={attempt.outcome} />
          )}
        </Group>
        <Text fz="xs" c="dimmed">
          {formatLatency(attempt.latencyMs)}, {cost}
        </Text>
        {notes.map((text) => (
          <Text key={text} fz="xs">
            {text}
          </Text>
        ))}
        {content !== null && <CandidateNote attempt={attempt} content={content} />}
        {attempt.answerId !== null && <Verdict answerId={attempt.answerId} name={name} attempt={position} />}
        {feedback.map((entry) => (
          <FeedbackEntry key={entry.id} entry={entry} />
        ))}
      </Stack>
    </article>
  );
}

interface VerdictProps {
  readonly answerId: string;
  readonly name: string;
  readonly attempt: number;
}

/** Takes what somebody thinks of it who sees it here, and shows the id that others may say so with. */
function Verdict({ answerId, name, attempt }: VerdictProps) {
  const project = useProject();
  const addFeedback = useAddFeedback(attempt);
  return (
    <>
      {mayAct(project, "playground.call") && (
        <VerdictButtons place={{ projectId: project.id, answerId }} source="dashboard" of={name} onSent={addFeedback} />
      )}
      <Group gap={4} wrap="nowrap">
        <Text fz="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          Id for feedback: {answerId}
        </Text>
        <CopyButton text={answerId} what="the id for feedback on it" />
      </Group>
    </>
  );
}

function CandidateNote({
  attempt,
  content,
}: {
  readonly attempt: AttemptData;
  readonly content: NonNullable<Props["content"]>;
}) {
  const other = content.notChosen.find(({ attempt: position }) => position === attempt.position);
  const blocks = attempt.isWinner ? content.answer : (other?.blocks ?? []);
  if (blocks.length > 0) return <Blocks blocks={blocks} />;
  return (
    <Text fz="xs" c="dimmed">
      {other?.isLeftOut === true ? "It was too long to store." : "No content yet."}
    </Text>
  );
}
