import { Alert, Grid, Stack } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { useRef } from "react";
import { ErrorNote } from "../../parts/error-note.tsx";
import { Page } from "../../shell/page.tsx";
import { mayAct, useProject } from "../../shell/session.ts";
import { addTurn } from "./draft.ts";
import { spokenText } from "./formats/answer.ts";
import { FORMATS } from "./formats/formats.ts";
import { readDraft } from "./formats/settings.ts";
import { ConversationPart } from "./parts/conversation-part.tsx";
import { ExchangePart } from "./parts/exchange-part.tsx";
import { ModelPart } from "./parts/model-part.tsx";
import { ParametersPart } from "./parts/parameters-part.tsx";
import { RevokedPart } from "./parts/revoked-part.tsx";
import { SendPart } from "./parts/send-part.tsx";
import { useDraft } from "./use-draft.ts";
import { useExchange } from "./use-exchange.ts";
import { useModels } from "./use-models.ts";

/** Calls a model from the browser, through the public API. */
export function PlaygroundPage() {
  const project = useProject();
  const isAllowed = mayAct(project, "playground.call");
  const [draft, change] = useDraft();
  const models = useModels(isAllowed);
  const { exchange, start, stop } = useExchange();
  const { settings, errors } = readDraft(draft);
  const request = {
    projectId: project.id,
    format: draft.format,
    workload: draft.workload.trim(),
    body: FORMATS[draft.format].write(settings),
  };
  const place = useRef<HTMLDivElement>(null);
  const isRunning = exchange?.state === "running";
  const canSend = isAllowed && !isRunning && Object.keys(errors).length === 0;
  const submit = () => {
    if (!canSend) return;
    start(request);
    // On a phone the answer comes below the form.
    place.current?.scrollIntoView({ block: "nearest" });
  };
  const goOn = () => {
    if (exchange === undefined) return;
    const answered = addTurn(draft.turns, { role: "assistant", text: spokenText(exchange.answer) });
    change({ turns: addTurn(answered, { role: "user", text: "" }) });
  };
  return (
    <Page
      title="Playground"
      lead="Calls a model through the same routes that your programs call. Calls are recorded and cost money."
    >
      {!isAllowed && (
        <Alert color="gray" icon={<IconEye size={18} aria-hidden />}>
          You are a viewer in this project. Calls take the role owner, admin or developer.
        </Alert>
      )}
      <ErrorNote error={models.error} onRetry={() => void models.refetch()} />
      {mayAct(project, "playground.allow") && <RevokedPart />}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack
            component="form"
            gap="md"
            aria-label="Request"
            onSubmit={(event) => {
              event.preventDefault();
              submit();
            }}
          >
            <ModelPart draft={draft} change={change} models={models.data} />
            <ConversationPart draft={draft} change={change} onSend={submit} />
            <ParametersPart draft={draft} change={change} errors={errors} />
            <SendPart draft={draft} change={change} canSend={canSend} isRunning={isRunning} onStop={stop} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }} ref={place}>
          <ExchangePart exchange={exchange} request={request} onGoOn={isRunning ? undefined : goOn} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}
