import { Alert, Button, Group, Loader, Select, SimpleGrid, Text } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../../../../../web/api/client.ts";
import { errorText } from "../../../../../web/api/errors.ts";
import { AnswerCard } from "../../../../../web/parts/answer-card.tsx";
import { ErrorNote } from "../../../../../web/parts/error-note.tsx";
import { nameText } from "../../../../../web/parts/name-text.ts";
import { RequestLink } from "../../../../../web/parts/request-link.tsx";
import { type Exchange, newExchange, type PlaygroundRequest } from "../../../../playground/web/exchange.ts";
import { NO_ANSWER } from "../../../../playground/web/formats/answer.ts";
import type { JsonObject } from "../../../../playground/web/formats/json.ts";
import { PieceView } from "../../../../playground/web/parts/piece-view.tsx";
import type { PlaygroundModel } from "../../../../playground/web/read-models.ts";
import { send } from "../../../../playground/web/send.ts";
import { useCallFigures } from "../../../../playground/web/use-call-figures.ts";
import { useModels } from "../../../../playground/web/use-models.ts";
import type { RequestDetails } from "../../types.ts";
import { Blocks } from "../block-view.tsx";
import { Section } from "../section.tsx";
import { useRequestPlace } from "../use-request.ts";

/** Marks such calls in the history, and has the chosen model answer, whatever was learned. */
const HEADERS = { "attune-tags": "dashboard=rerun", "attune-optimize": "off" };

interface Props {
  readonly request: RequestDetails;
}

/** Sends the request again, and shows the answers side by side, with what each cost and took. */
export function ComparePart({ request }: Props) {
  const models = useModels(true);
  const [chosen, setChosen] = useState("");
  const { runs, start } = useRuns();
  const same: ComparedWith = { id: "", name: request.facts.model };
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

/** A further call with the same request. */
interface Run {
  readonly key: number;
  readonly model: string;
  readonly exchange: Exchange;
}

/** The model to ask; one without an id is that of the request. */
type ComparedWith = Pick<PlaygroundModel, "id" | "name">;

/** Sends the request of the page again, to a model, as often as asked for; leaving the page stops what runs. */
function useRuns() {
  const place = useRequestPlace();
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const start = useCallback(
    async (model: ComparedWith) => {
      controller.current ??= new AbortController();
      const { signal } = controller.current;
      const key = Date.now();
      const change = (exchange: Exchange) =>
        setRuns((old) => [...old.filter((run) => run.key !== key), { key, model: model.name, exchange }]);
      const begun = { ...place, format: "chat", workload: "", body: {} } as const;
      change(newExchange(begun));
      try {
        await send(await readRequest(place, model), signal, change);
      } catch (error) {
        change({ ...newExchange(begun), state: "failed", answer: { ...NO_ANSWER, error: errorText(error) } });
      }
    },
    [place],
  );
  return { runs, start };
}

async function readRequest(
  place: { readonly projectId: string; readonly id: string },
  { id }: ComparedWith,
): Promise<PlaygroundRequest> {
  const model = id === "" ? undefined : id;
  const { format, workload, text } = await api.history.asSent.query({ ...place, model });
  const body = JSON.parse(text) as JsonObject;
  return { projectId: place.projectId, format, workload, body, text, headers: HEADERS };
}
