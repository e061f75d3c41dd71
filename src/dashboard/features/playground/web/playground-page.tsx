import { Alert, Box, Button, Grid, Group, Stack, Switch, Tabs, Text } from "@mantine/core";
import { IconEye, IconKeyOff, IconMessageCode, IconPlayerPlay, IconPlayerStop } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { trpc } from "../../../web/api/trpc.ts";
import { EmptyState } from "../../../web/parts/empty-state.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { Page } from "../../../web/shell/page.tsx";
import { mayAct, useProject } from "../../../web/shell/session.ts";
import { addTurn } from "./draft.ts";
import type { Exchange, PlaygroundRequest } from "./exchange.ts";
import { spokenText } from "./formats/answer.ts";
import { FORMATS } from "./formats/formats.ts";
import { readDraft } from "./formats/settings.ts";
import { AnswerPart } from "./parts/answer-part.tsx";
import { CodePart } from "./parts/code-part.tsx";
import { ConversationPart } from "./parts/conversation-part.tsx";
import { ModelPart } from "./parts/model-part.tsx";
import { ParametersPart } from "./parts/parameters-part.tsx";
import type { PartProps } from "./parts/part-props.ts";
import { RawPart } from "./parts/raw-part.tsx";
import { send } from "./send.ts";
import { useDraft } from "./use-draft.ts";
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
          You are a viewer in this project. To call models, you need the role owner, admin or developer.
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

/** Keeps the latest call of the page, sends another in its place, and stops it when the page is left. */
function useExchange() {
  const [exchange, setExchange] = useState<Exchange>();
  const running = useRef<AbortController>(undefined);
  const client = useQueryClient();
  const stop = useCallback(() => running.current?.abort(), []);
  const start = useCallback(
    (request: PlaygroundRequest) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      void send(request, controller.signal, (changed) => {
        // What is still told of a call that another one has replaced is not shown.
        if (running.current !== controller) return;
        setExchange(changed);
        if (changed.status === 401) void client.invalidateQueries(trpc.session.current.queryFilter());
      });
    },
    [client],
  );
  useEffect(() => stop, [stop]);
  return { exchange, start, stop };
}

/** Lists whose playground key was revoked, and takes that back. Nothing is shown where there is nobody. */
function RevokedPart() {
  const { id: projectId } = useProject();
  const revoked = useQuery(trpc.playground.revoked.queryOptions({ projectId }));
  const allow = useMutation(
    trpc.playground.allow.mutationOptions({ meta: { changes: [trpc.playground.revoked.pathFilter()] } }),
  );
  if (revoked.data === undefined || revoked.data.length === 0) return null;
  return (
    <Alert color="gray" icon={<IconKeyOff size={18} aria-hidden />} title="Revoked playground keys">
      <Stack gap="xs">
        {revoked.data.map(({ userId, email }) => (
          <Group key={userId} justify="space-between">
            <Text fz="sm">{email} cannot call from here.</Text>
            <Button
              size="compact-sm"
              variant="default"
              loading={allow.isPending}
              onClick={() => allow.mutate({ projectId, userId })}
              aria-label={`Allow again: ${email}`}
            >
              Allow again
            </Button>
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}

interface Props extends PartProps {
  readonly canSend: boolean;
  readonly isRunning: boolean;
  readonly onStop: () => void;
}

/** Sends, and stops. */
function SendPart({ draft, change, canSend, isRunning, onStop }: Props) {
  return (
    <Group justify="space-between">
      <Switch
        label="Stream the answer"
        checked={draft.streams}
        onChange={({ currentTarget }) => change({ streams: currentTarget.checked })}
      />
      <Group gap="sm">
        <Text fz="xs" c="dimmed" visibleFrom="sm">
          Ctrl + Enter
        </Text>
        {isRunning ? (
          // A button of its own: were it the same element, the click that stops would go on to submit the form.
          <Button key="stop" color="red.9" onClick={onStop} leftSection={<IconPlayerStop size={16} aria-hidden />}>
            Stop
          </Button>
        ) : (
          <Button key="send" type="submit" disabled={!canSend} leftSection={<IconPlayerPlay size={16} aria-hidden />}>
            Send
          </Button>
        )}
      </Group>
    </Group>
  );
}

interface ExchangePartProps {
  /** The latest call; undefined before the first. */
  readonly exchange: Exchange | undefined;
  /** The request that the form would send now. */
  readonly request: PlaygroundRequest;
  /** Puts the answer into the conversation; undefined while it is on its way. */
  readonly onGoOn: (() => void) | undefined;
}

/** Shows what came of a call, in three ways. */
function ExchangePart({ exchange, request, onGoOn }: ExchangePartProps) {
  return (
    <Box component="section" aria-label="Answer" className="attune-card" p="md" style={{ minHeight: 320 }}>
      <Tabs defaultValue="answer" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="answer">Answer</Tabs.Tab>
          <Tabs.Tab value="raw">Request & response</Tabs.Tab>
          <Tabs.Tab value="code">Code</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="answer">
          {exchange === undefined ? (
            <EmptyState
              Icon={IconMessageCode}
              title="Nothing sent yet"
              text="Write a message and send it. The answer appears here, with its cost and the model that served it."
            />
          ) : (
            <AnswerPart exchange={exchange} onGoOn={onGoOn} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="raw">
          <RawPart exchange={exchange} request={request} />
        </Tabs.Panel>
        <Tabs.Panel value="code">
          <CodePart request={request} />
        </Tabs.Panel>
      </Tabs>
    </Box>
  );
}
