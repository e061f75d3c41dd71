import { Anchor, Badge, Box, Button, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { Markdown } from "../../../../web/parts/markdown/markdown.tsx";
import { nameText } from "../../../../web/parts/name-text.ts";
import type { JudgedPair, Pair } from "./use-pair.ts";

interface Verdict {
  readonly first: boolean;
  readonly second: boolean;
}

interface Props {
  readonly pair: Pair;
  /** Undefined until it is judged. */
  readonly judged: JudgedPair | undefined;
  readonly isPending: boolean;
  readonly onVerdict: (verdict: Verdict) => void;
  readonly onNext: () => void;
}

const VERDICTS: readonly (Verdict & { readonly label: string })[] = [
  { label: "Only the first", first: true, second: false },
  { label: "Only the second", first: false, second: true },
  { label: "Both", first: true, second: true },
  { label: "Neither", first: false, second: false },
];

/** A conversation and its two answers, beside what can be said of them. */
export function PairView({ pair, judged, isPending, onVerdict, onNext }: Props) {
  return (
    <Stack gap="md">
      <Box component="section" aria-label="Conversation" className="attune-card" p="md">
        <Stack gap="sm">
          {pair.conversation.map(({ role, text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages never change their order
            <Box key={at}>
              <Text fz="xs" c="dimmed">
                {role}
              </Text>
              <Markdown text={text} />
            </Box>
          ))}
        </Stack>
      </Box>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        {pair.answers.map((answer, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: there are always two
          <Answer key={at} at={at} text={answer} judged={judged} />
        ))}
      </SimpleGrid>
      {judged === undefined ? (
        <Group gap="xs" role="group" aria-label="Satisfactory">
          <Text fz="sm">Satisfactory:</Text>
          {VERDICTS.map(({ label, ...verdict }) => (
            <Button key={label} variant="default" disabled={isPending} onClick={() => onVerdict(verdict)}>
              {label}
            </Button>
          ))}
          <Button variant="subtle" disabled={isPending} onClick={onNext}>
            Skip
          </Button>
        </Group>
      ) : (
        <Judged judged={judged} onNext={onNext} />
      )}
    </Stack>
  );
}

interface AnswerProps extends Pick<Props, "judged"> {
  readonly at: number;
  readonly text: string;
}

function Answer({ at, text, judged }: AnswerProps) {
  const model = judged?.models[at];
  const title = at === 0 ? "First answer" : "Second answer";
  return (
    <Box component="section" aria-label={title} className="attune-card" p="md">
      <Group gap="xs" mb="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        {model !== undefined && <Badge variant="default">{nameText(model)}</Badge>}
      </Group>
      {text === "" ? <Text c="dimmed">No text.</Text> : <Markdown text={text} />}
    </Box>
  );
}

function Judged({ judged, onNext }: Pick<Props, "onNext"> & { readonly judged: JudgedPair }) {
  return (
    <Group gap="sm">
      <Text fz="sm" role="status">
        Saved. The caller got the answer of {nameText(judged.servedModel)}:{" "}
        <Anchor
          component={Link}
          to={`../../../history/${judged.inferenceId}`}
          relative="path"
          fz="sm"
          underline="always"
        >
          its request
        </Anchor>
        .
      </Text>
      <Button onClick={onNext}>Next pair</Button>
    </Group>
  );
}
