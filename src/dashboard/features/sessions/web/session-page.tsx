import "../../../web/figures/series.css";
import "./sessions.css";
import { Alert, Anchor, Box, Button, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconListDetails } from "@tabler/icons-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { Link, useParams } from "react-router";
import { isMissing } from "../../../web/api/errors.ts";
import { CopyButton } from "../../../web/parts/copy-button.tsx";
import { ErrorNote } from "../../../web/parts/error-note.tsx";
import { formatTime } from "../../../web/parts/format.ts";
import { nameText } from "../../../web/parts/name-text.ts";
import { Pager } from "../../../web/parts/pager.tsx";
import { sessionPath } from "../../../web/parts/session-path.ts";
import { NotFound } from "../../../web/shell/not-found.tsx";
import { Page } from "../../../web/shell/page.tsx";
import { useProject } from "../../../web/shell/session.ts";
import { FeedbackEntry } from "../../history/web/request/feedback-part.tsx";
import { followPage } from "./follow-page.ts";
import { latestAt, type PlayedCall, timeAt } from "./playback.ts";
import { Player } from "./player.tsx";
import { RunCards } from "./run-cards.tsx";
import { Steps } from "./steps.tsx";
import { useFollowStep } from "./use-follow-step.ts";
import { type Playback, usePlayback } from "./use-playback.ts";
import { PAGE_SIZE, type SessionRun, useSessionRun, useTimeline, useUpcoming } from "./use-session-run.ts";

/** Pages that play within this time are read before. */
const AHEAD_S = 4;

const NO_CALLS: readonly PlayedCall[] = [];
/** A run may go on this long after its last call. */
const ONGOING_MS = 120_000;

/** A run of an agent, in order: who answered each step, what it called, cost and took, and what was said of it. */
export function SessionPage() {
  const { sessionId = "" } = useParams();
  const { id: projectId } = useProject();
  const [{ id, offset }, setOffset] = useState({ id: sessionId, offset: 0 });
  const run = useSessionRun(sessionId, id === sessionId ? offset : 0);
  const onOffset = useCallback((at: number) => setOffset({ id: sessionId, offset: at }), [sessionId]);
  if (isMissing(run.error)) return <NotFound />;
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
          Show in History
        </Button>
      }
    >
      <ErrorNote error={run.error} onRetry={() => void run.refetch()} />
      {run.isPending && <Skeleton h={400} radius="md" />}
      {run.data !== undefined && (
        <Run
          key={sessionId}
          sessionId={sessionId}
          run={run.data}
          // Equal data draw nothing: without the time of the reading an ended run would seem to go on.
          readAtMs={run.dataUpdatedAt || Date.now()}
          isOld={run.isPlaceholderData}
          offset={id === sessionId ? offset : 0}
          onOffset={onOffset}
        />
      )}
    </Page>
  );
}

interface RunProps {
  readonly sessionId: string;
  readonly run: SessionRun;
  readonly readAtMs: number;
  /** True while another page of the run is on its way. */
  readonly isOld: boolean;
  /** Steps before those that are shown. */
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
}

function Run({ sessionId, run, readAtMs, isOld, offset, onOffset }: RunProps) {
  const { totals, stepCount } = run;
  const list = useRef<HTMLOListElement>(null);
  const timeline = useTimeline(sessionId, run);
  const calls = timeline.data?.calls ?? NO_CALLS;
  const isOngoing = totals.startMs + totals.tookMs > readAtMs - ONGOING_MS;
  const playback = usePlayback(calls, isOngoing);
  const { timeMs, isPlaying } = playback;
  useFollowPage({ sessionId, calls, playback, offset, onOffset });
  const shown = calls.filter(({ line }) => line >= offset && line < offset + PAGE_SIZE);
  const number = timeMs === undefined || isOld ? undefined : latestAt(shown, timeMs)?.number;
  const follow = useFollowStep({ list, number, isPlaying });
  const choosePage = (at: number) => {
    playback.pause();
    onOffset(at);
  };
  return (
    <Stack gap="md">
      <RunCards totals={totals} />
      <RunNotes run={run} />
      <ErrorNote error={timeline.error} onRetry={() => void timeline.refetch()} />
      {playback.lengthMs > 0 && (
        <Player calls={calls} playback={playback} isOngoing={isOngoing} onFollow={isPlaying ? follow : undefined} />
      )}
      <Steps run={run} timeMs={timeMs} isOld={isOld} list={list} />
      <Pager total={stepCount} pageSize={PAGE_SIZE} offset={offset} onChange={choosePage} />
      <RunFeedback feedback={run.feedback} />
    </Stack>
  );
}

/** Says when the run began, and what is not shown of it. */
function RunNotes({ run: { totals, parentSessionId, hasEarlier, isCut } }: Pick<RunProps, "run">) {
  const { id: projectId } = useProject();
  return (
    <>
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
        {hasEarlier && " The id had a session before, which ended two hours after its last call."}
      </Text>
      {isCut && <Alert color="gray">The session has more calls than are shown.</Alert>}
    </>
  );
}

/** Shows feedback on the session as a whole; feedback on a call stands with the call. */
function RunFeedback({ feedback }: Pick<SessionRun, "feedback">) {
  const ofSession = feedback.filter(({ sessionId }) => sessionId !== null);
  return (
    <Box component="section" aria-label="Feedback on the session" className="attune-card" p="md">
      <Title order={2} size="h5" mb="xs">
        Feedback on the session
      </Title>
      {ofSession.length === 0 ? (
        <Text fz="sm" c="dimmed">
          None yet. <code>attune feedback --session ID passed=true</code> sends it, and so does{" "}
          <code>POST /v1/feedback</code> with <code>session</code> instead of an id.
        </Text>
      ) : (
        <Stack gap="sm">
          {ofSession.map((entry) => (
            <FeedbackEntry key={entry.id} entry={entry} />
          ))}
        </Stack>
      )}
    </Box>
  );
}

interface Followed {
  readonly sessionId: string;
  readonly calls: readonly PlayedCall[];
  readonly playback: Playback;
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
}

/** Shows the page of what plays, or of the place that a person moved to, and reads the next one before it is needed. */
function useFollowPage({ sessionId, calls, playback, offset, onOffset }: Followed): void {
  const { timeMs, placeMs, stretches, factor, isPlaying } = playback;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that a person chose stays until time goes on
  useEffect(() => {
    if (timeMs === undefined) return;
    const next = followPage(calls, { timeMs, offset, pageSize: PAGE_SIZE });
    if (next !== offset) onOffset(next);
  }, [timeMs]);
  const soonMs = isPlaying ? timeAt(stretches, placeMs + AHEAD_S * 1000 * factor) : undefined;
  const soon = soonMs === undefined ? offset : followPage(calls, { timeMs: soonMs, offset, pageSize: PAGE_SIZE });
  useUpcoming(sessionId, soon, soon !== offset);
}
