import { Anchor, Text } from "@mantine/core";
import { type CSSProperties, type RefObject, useMemo } from "react";
import { Link } from "react-router";
import { nameText } from "../../../web/parts/name-text.ts";
import { sessionPath } from "../../../web/parts/session-path.ts";
import { useProject } from "../../../web/shell/session.ts";
import { stateAt } from "./playback.ts";
import { indentStyle, StepRow } from "./step-row.tsx";
import { callIds, type SessionRun, useOutlines } from "./use-session-run.ts";

interface Props {
  readonly run: SessionRun;
  /** The time that is played; undefined before anything is. */
  readonly timeMs: number | undefined;
  /** True while other steps are on their way. */
  readonly isOld: boolean;
  readonly list: RefObject<HTMLOListElement | null>;
}

const NO_FEEDBACK: SessionRun["feedback"] = [];

/** The steps of a page of a run, and the sessions of subagents where they began. */
export function Steps({ run: { steps, totals, feedback, continued }, timeMs, isOld, list }: Props) {
  const outlines = useOutlines(callIds(steps));
  const onCalls = useMemo(
    () =>
      Map.groupBy(
        feedback.filter(({ sessionId }) => sessionId === null),
        ({ inferenceId }) => inferenceId,
      ),
    [feedback],
  );
  const played = timeMs === undefined || totals.tookMs === 0 ? undefined : (timeMs - totals.startMs) / totals.tookMs;
  return (
    <ol
      ref={list}
      className="attune-card attune-steps"
      aria-label="Steps, in order"
      aria-busy={isOld}
      data-playing={played !== undefined}
      style={{ "--attune-played": `${100 * (played ?? 0)}%` } as CSSProperties}
    >
      {continued !== null && <SessionRow {...continued} isContinued />}
      {steps.map((line) =>
        line.kind === "session" ? (
          <SessionRow key={`session ${line.sessionId}`} {...line} />
        ) : (
          <StepRow
            key={line.call.id}
            line={line}
            outline={outlines.get(line.call.id)}
            startMs={totals.startMs}
            tookMs={totals.tookMs}
            played={timeMs === undefined ? undefined : playedState(line.call, timeMs)}
            feedback={onCalls.get(line.call.id) ?? NO_FEEDBACK}
          />
        ),
      )}
    </ol>
  );
}

function playedState({ startedAt, latencyMs }: { startedAt: string | Date; latencyMs: number }, timeMs: number) {
  return stateAt({ startMs: new Date(startedAt).getTime(), latencyMs }, timeMs);
}

interface SessionProps {
  readonly sessionId: string;
  readonly depth: number;
  /** True where its first steps are on the page before. */
  readonly isContinued?: boolean;
}

function SessionRow({ sessionId, depth, isContinued = false }: SessionProps) {
  const { id: projectId } = useProject();
  return (
    <li className="attune-step-session" style={indentStyle(depth)}>
      <Text fz="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        Subagent{" "}
        <Anchor component={Link} to={sessionPath(projectId, sessionId)} fz="sm">
          {nameText(sessionId)}
        </Anchor>
        {isContinued && ", continued"}
      </Text>
    </li>
  );
}
