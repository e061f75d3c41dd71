import { Alert, Button, Group, Loader, Select, SimpleGrid, Text } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useState } from "react";
import { AnswerCard } from "../../../../parts/answer-card.tsx";
import { ErrorNote } from "../../../../parts/error-note.tsx";
import { nameText } from "../../../../parts/name-text.ts";
import { RequestLink } from "../../../../parts/request-link.tsx";
import { PieceView } from "../../../playground/parts/piece-view.tsx";
import { useCallFigures } from "../../../playground/use-call-figures.ts";
import { useModels } from "../../../playground/use-models.ts";
import type { RequestDetails } from "../../types.ts";
import { Blocks } from "../block-view.tsx";
import { Section } from "../section.tsx";
import { type AskedModel, type Run, useRuns } from "./use-runs.ts";

interface Props {
  readonly request: RequestDetails;
}

/** Sends the request again, and shows the answers side by side, with what each cost and took. */
export function ComparePart({ request }: Props) {
  const models = useModels(true);
  const [chosen, setChosen] = useState("");
  const { runs, start } = useRuns();
  const same: AskedModel = { id: "", name: request.facts.model };
  const choices = [same, ...(models.data ?? [])];
  return (
    <Section title="Run again">
      <Text fz="sm" c="dimmed">
        Each run is a new call of this project: it is recorded with the tag dashboard=rerun, and costs money. The chosen
        model answers, whatever was learned.
      </Text>
      <ErrorNote error={models.error} onRetry={() => void models.refetch()} />
      <Group align="flex-end" gap="sm">
        <Select
          label="Model"
          data={choices.map(({ id, name }) => ({ value: id, label: writeLabel(id, name) }))}
          value={chosen}
          onChange={(id) => id !== null && setChosen(id)}
          allowDeselect={false}
          searchable
          nothingFoundMessage="No model of this name"
          maw={320}
          flex={1}
        />
        <Button
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          onClick={() => void start(choices.find(({ id }) => id === chosen) ?? same)}
        >
          Run
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Recorded request={request} />
        {runs.map((run) => (
          <RunView key={run.key} run={run} />
        ))}
      </SimpleGrid>
    </Section>
  );
}

function writeLabel(id: string, name: string): string {
  return id === "" ? `Same model: ${nameText(name)}` : nameText(name || id);
}

function Recorded({ request: { facts, content } }: Props) {
  const figures = { ...facts, servedBy: facts.upstream || "none", ending: facts.finishReason ?? facts.status };
  return (
    <AnswerCard title={`Recorded: ${nameText(facts.servedModel || facts.model)}`} figures={figures}>
      {content === null || content.answer.length === 0 ? (
        <Text fz="sm" c="dimmed">
          There is no answer.
        </Text>
      ) : (
        <Blocks blocks={content.answer} />
      )}
    </AnswerCard>
  );
}

function RunView({ run: { model, exchange } }: { readonly run: Run }) {
  const { answer, state } = exchange;
  const { figures, losses } = useCallFigures(exchange);
  const isRecorded = state !== "running" && answer.id !== "";
  return (
    <AnswerCard
      title={`Run: ${nameText(model)}`}
      figures={isRecorded ? figures : undefined}
      links={isRecorded && <RequestLink id={answer.id}>Open this request in the history</RequestLink>}
    >
      {state === "running" && <Loader size="xs" type="dots" aria-label="The answer is on its way" />}
      {answer.parts.map((piece) => (
        <PieceView key={piece.key} piece={piece} />
      ))}
      {answer.error !== "" && (
        <Alert color="red" role="alert">
          {answer.error}
        </Alert>
      )}
      {losses.length > 0 && <Text fz="sm">Lost in translation: {losses.join(", ")}</Text>}
    </AnswerCard>
  );
}
