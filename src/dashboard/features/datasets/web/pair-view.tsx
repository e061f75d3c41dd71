import { Badge, Box, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { AnswerCard } from "../../../web/parts/answer-card.tsx";
import { Clamped } from "../../../web/parts/clamped.tsx";
import { firstWordsText, nameText } from "../../../web/parts/name-text.ts";
import { RequestLink } from "../../../web/parts/request-link.tsx";
import type { Pair } from "./run.ts";

interface Props {
  readonly pair: Pair;
  readonly models: readonly [string, string];
}

/** A request of a run: its prompt, and the answers of both models beside the one that was given. */
export function PairView({ pair, models }: Props) {
  return (
    <Box component="article" className="attune-card" p="md" aria-label={`Answers to ${nameText(pair.prompt)}`}>
      <Stack gap="sm">
        <Group justify="space-between" gap="sm" wrap="nowrap">
          <Text fz="sm" fw={500} lineClamp={2} style={{ overflowWrap: "anywhere" }}>
            {firstWordsText(pair.prompt) || "The text is gone."}
          </Text>
          <RequestLink id={pair.inferenceId}>Request</RequestLink>
        </Group>
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
          <AnswerCard title={`Recorded: ${nameText(pair.recordedModel)}`}>
            <AnswerText text={firstWordsText(pair.recordedAnswer)} />
          </AnswerCard>
          {pair.answers.map((answer) => (
            <AnswerCard
              key={answer.side}
              title={`Run: ${nameText(models[answer.side])}`}
              marks={<Scores {...answer} />}
              figures={answer.outcome === "answered" ? answer : undefined}
            >
              <AnswerText text={answer.problem ?? answer.text} />
            </AnswerCard>
          ))}
        </SimpleGrid>
      </Stack>
    </Box>
  );
}

function AnswerText({ text }: { readonly text: string }) {
  return <Clamped lines={8} text={text === "" ? "No text is stored." : text} />;
}

/** The judge's grade, and failed checks, in words. */
function Scores({ outcome, isGood, failedChecks }: Pair["answers"][number]) {
  if (outcome !== "answered") return <Mark color="gray">{outcome === "failed" ? "Failed" : "Skipped"}</Mark>;
  return (
    <>
      {isGood !== null && <Mark color={markColor(isGood)}>{isGood ? "Satisfactory" : "Not satisfactory"}</Mark>}
      {failedChecks?.map((check) => (
        <Mark key={check} color={markColor(false)}>
          {check.replaceAll("_", " ")}
        </Mark>
      ))}
    </>
  );
}

function markColor(isGood: boolean): string {
  return isGood ? "var(--attune-good)" : "var(--attune-bad)";
}

function Mark({ color, children }: { readonly color: string; readonly children: string }) {
  return (
    <Badge variant="outline" color={color} size="sm" tt="none" fw={500}>
      {children}
    </Badge>
  );
}
