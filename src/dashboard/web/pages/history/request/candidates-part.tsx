import { Badge, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { formatDuration, formatShortCost, markEstimate } from "../../../parts/format.ts";
import { nameText } from "../../../parts/name-text.ts";
import { StatusBadge } from "../status-badge.tsx";
import type { AttemptData, ContentData } from "../types.ts";
import { Blocks } from "./block-view.tsx";
import { failedText, reasonText } from "./candidate-words.ts";
import { Section } from "./section.tsx";

interface Props {
  readonly attempts: readonly AttemptData[];
  /** Null where no texts were kept. */
  readonly content: Pick<ContentData, "answer" | "notChosen"> | null;
}

/** The answers that were to be chosen from, side by side: what each says, what it cost, and why it was given or not. Nothing where one was asked for. */
export function CandidatesPart({ attempts, content }: Props) {
  const candidates = attempts.filter(({ role }) => role === "candidate");
  if (candidates.length === 0) return null;
  return (
    <Section title="Candidates">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        {candidates.map((attempt) => (
          <Candidate key={attempt.position} attempt={attempt} content={content} />
        ))}
      </SimpleGrid>
    </Section>
  );
}

function Candidate({ attempt, content }: { readonly attempt: AttemptData; readonly content: Props["content"] }) {
  const { position, upstream, upstreamModel, isWinner } = attempt;
  const name = `${position + 1}. ${nameText(upstream)} as ${nameText(upstreamModel)}`;
  const cost = markEstimate(formatShortCost(attempt.costNanos), attempt.usageEstimated);
  const { errorReason, errorMessage } = attempt;
  const failure = errorReason == null ? undefined : `${errorReason.replaceAll("_", " ")}: ${errorMessage ?? ""}`;
  const said = [reasonText(attempt), failedText(attempt), failure].filter((text) => text !== undefined);
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
          {formatDuration(attempt.latencyMs)}, {cost}
        </Text>
        {said.map((text) => (
          <Text key={text} fz="xs">
            {text}
          </Text>
        ))}
        {content !== null && <Said attempt={attempt} content={content} />}
      </Stack>
    </article>
  );
}

function Said({
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
      {other?.isLeftOut === true ? "It was too long to be kept." : "Nothing of it had come."}
    </Text>
  );
}
