import { Anchor, Badge, Box, Button, Group, SimpleGrid, Skeleton, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { describeVerdicts } from "../../../../../vocabulary/judge-figures.ts";
import { type Outputs, trpc } from "../../../../web/api/trpc.ts";
import { Markdown } from "../../../../web/parts/markdown/markdown.tsx";
import { nameText } from "../../../../web/parts/name-text.ts";
import { useProject } from "../../../../web/shell/session.ts";
import { familyName } from "../family-name.ts";

type Pair = Outputs["improvements"]["answers"][number];
type Verdicts = Pair["ofBase"];

/** The answers by which models are known to be better or worse than base, which are read when somebody asks. */
export function DecidingAnswers({ model }: { readonly model: string }) {
  const { id: projectId } = useProject();
  const [isOpen, { toggle }] = useDisclosure(false);
  const { data } = useQuery(trpc.improvements.answers.queryOptions({ projectId, model }, { enabled: isOpen }));
  return (
    <Stack gap="sm" align="flex-start">
      <Button variant="subtle" size="xs" aria-expanded={isOpen} onClick={toggle}>
        {isOpen ? "Hide the answers that decided" : "Show the answers that decided"}
      </Button>
      {isOpen && data === undefined && <Skeleton h={80} />}
      {isOpen && data?.length === 0 && (
        <Text fz="sm" c="dimmed">
          No model is known to be better or worse than base yet, or the texts of its answers are no longer stored.
        </Text>
      )}
      {isOpen && data?.map((pair) => <PairPart key={pair.id} base={model} pair={pair} />)}
    </Stack>
  );
}

function PairPart({ base, pair }: { readonly base: string; readonly pair: Pair }) {
  const { model, isBetter, family, question, inferenceId } = pair;
  return (
    <Box component="section" aria-label={`Answers of ${nameText(model)}`} className="attune-card" p="md" w="100%">
      <Group gap="xs" mb="xs">
        <Badge variant="default" data-verbatim>
          {nameText(model)}: {isBetter ? "better" : "worse"} than base
        </Badge>
        <Text fz="xs" c="dimmed">
          {familyName(family)}
        </Text>
        <Anchor component={Link} to={`../../history/${inferenceId}`} relative="path" fz="xs" underline="always">
          Request
        </Anchor>
      </Group>
      <Markdown text={question} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" mt="sm">
        <AnswerPart model={base} text={pair.baseAnswer} verdicts={pair.ofBase} />
        <AnswerPart model={model} text={pair.answer} verdicts={pair.ofModel} />
      </SimpleGrid>
    </Box>
  );
}

interface AnswerProps {
  readonly model: string;
  readonly text: string;
  readonly verdicts: Verdicts;
}

function AnswerPart({ model, text, verdicts }: AnswerProps) {
  return (
    <Box>
      <Text fz="xs" c="dimmed" mb={4}>
        {nameText(model)}, {describeVerdicts(verdicts)}
      </Text>
      {text === "" ? <Text c="dimmed">No text.</Text> : <Markdown text={text} />}
    </Box>
  );
}
