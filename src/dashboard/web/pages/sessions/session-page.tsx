import "../../figures/series.css";
import "./sessions.css";
import { Alert, Anchor, Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconListDetails } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { Link, useParams } from "react-router";
import { CopyButton } from "../../parts/copy-button.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { formatTime } from "../../parts/format.ts";
import { nameText } from "../../parts/name-text.ts";
import { Pager } from "../../parts/pager.tsx";
import { sessionPath } from "../../parts/session-path.ts";
import { Page } from "../../shell/page.tsx";
import { useProject } from "../../shell/session.ts";
import { layOut, playedLength, SILENCE_MS, timeAt } from "./playback.ts";
import { Player } from "./player.tsx";
import { RunCards } from "./run-cards.tsx";
import { RunFeedback } from "./run-feedback.tsx";
import { indentOf, StepRow } from "./step-row.tsx";
import { usePlayback } from "./use-playback.ts";
import { PAGE_SIZE, type SessionRun, useOutlines, useSessionRun } from "./use-session-run.ts";

/** A run of an agent, in order: who answered each step, what it called, cost and took, and what was said of it. */
export function SessionPage() {
  const { sessionId = "" } = useParams();
  const { id: projectId } = useProject();
  const [{ id, offset }, setOffset] = useState({ id: sessionId, offset: 0 });
  const run = useSessionRun(sessionId, id === sessionId ? offset : 0);
  return (
    <Page
      title="Session"
      lead={
        <Group gap={6} component="span">
          <span style={{ overflowWrap: "anywhere" }}>{nameText(sessionId)}</span>
          <CopyButton text={sessionId} what="the id of the session" />
        </Group>
      }
      actions={
        <Button
          component={Link}
          to={`/projects/${projectId}/history?${new URLSearchParams({ session: sessionId })}`}
          variant="default"
          leftSection={<IconListDetails size={16} aria-hidden />}
        >
          Its calls in History
        </Button>
      }
    >
      <ErrorNote error={run.error} onRetry={() => void run.refetch()} />
      {run.isPending && <Skeleton h={400} radius="md" />}
      {run.data !== undefined && (
        <Run
          run={run.data}
          offset={id === sessionId ? offset : 0}
          onOffset={(at) => setOffset({ id: sessionId, offset: at })}
        />
      )}
    </Page>
  );
}

interface RunProps {
  readonly run: SessionRun;
  /** Steps before those that are shown. */
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
}

function Run({ run, offset, onOffset }: RunProps) {
  const { id: projectId } = useProject();
  const { totals, feedback, parentSessionId } = run;
  return (
    <Stack gap="md">
      <RunCards totals={totals} />
      <Text fz="sm" c="dimmed">
        Began {formatTime(new Date(totals.startMs))}.
        {parentSessionId !== null && (
          <>
            {" Begun by "}
            <Anchor component={Link} to={sessionPath(projectId, parentSessionId)} fz="sm">
              {nameText(parentSessionId)}
            </Anchor>
            .
          </>
        )}
        {run.hasEarlier && " The id had a session before, which ended two hours after its last call."}
      </Text>
      {run.isCut && <Alert color="gray">The session has more calls than are shown.</Alert>}
      <PlayedSteps key={offset} run={run} />
      <Pager total={run.stepCount} pageSize={PAGE_SIZE} offset={offset} onChange={onOffset} />
      <RunFeedback feedback={feedback} />
    </Stack>
  );
}

/** The steps of a page, and what plays them. */
function PlayedSteps({ run }: { readonly run: SessionRun }) {
  const calls = useMemo(() => run.steps.flatMap((line) => (line.kind === "call" ? [line.call] : [])), [run.steps]);
  const stretches = useMemo(() => layOut(calls), [calls]);
  const lengthMs = playedLength(stretches);
  const playback = usePlayback(lengthMs);
  const timeMs = playback.placeMs === undefined ? undefined : timeAt(stretches, playback.placeMs);
  const isShortened = stretches.some((stretch) => stretch.lengthMs > SILENCE_MS && stretch.playedMs === SILENCE_MS);
  return (
    <>
      {lengthMs > 0 && (
        <Player {...{ calls, playback, lengthMs, timeMs, isShortened }} isPart={run.stepCount > run.steps.length} />
      )}
      <Steps run={run} timeMs={timeMs} />
    </>
  );
}

interface StepsProps {
  readonly run: SessionRun;
  /** The time that is played; undefined before anything is. */
  readonly timeMs: number | undefined;
}

function Steps({ run: { steps, totals, feedback }, timeMs }: StepsProps) {
  const { id: projectId } = useProject();
  const outlines = useOutlines(steps.flatMap((line) => (line.kind === "call" ? [line.call.id] : [])));
  return (
    <ol className="attune-card attune-steps" aria-label="Steps, in order">
      {steps.map((line) =>
        line.kind === "session" ? (
          <li
            key={`session ${line.sessionId}`}
            className="attune-step-session"
            style={{ paddingInlineStart: indentOf(line.depth) }}
          >
            <Text fz="sm" c="dimmed">
              Subagent{" "}
              <Anchor component={Link} to={sessionPath(projectId, line.sessionId)} fz="sm">
                {nameText(line.sessionId)}
              </Anchor>
            </Text>
          </li>
        ) : (
          <StepRow
            key={line.call.id}
            line={line}
            outline={outlines.get(line.call.id)}
            totals={totals}
            timeMs={timeMs}
            feedback={feedback.filter(({ inferenceId, sessionId }) => {
              return inferenceId === line.call.id && sessionId === null;
            })}
          />
        ),
      )}
    </ol>
  );
}
