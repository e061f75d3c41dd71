import "../../figures/series.css";
import "./sessions.css";
import { Alert, Anchor, Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconListDetails } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { CopyButton } from "../../parts/copy-button.tsx";
import { ErrorNote } from "../../parts/error-note.tsx";
import { formatTime } from "../../parts/format.ts";
import { nameText } from "../../parts/name-text.ts";
import { Pager } from "../../parts/pager.tsx";
import { sessionPath } from "../../parts/session-path.ts";
import { Page } from "../../shell/page.tsx";
import { useProject } from "../../shell/session.ts";
import { indentOf, listSteps } from "./list-steps.ts";
import { RunCards } from "./run-cards.tsx";
import { RunFeedback } from "./run-feedback.tsx";
import { StepRow } from "./step-row.tsx";
import { type SessionRun, useOutlines, useSessionRun } from "./use-session-run.ts";

/** Steps of one page. */
const PAGE_SIZE = 100;

/** A run of an agent, in order: who answered each step, what it called, cost and took, and what was said of it. */
export function SessionPage() {
  const { sessionId = "" } = useParams();
  const { id: projectId } = useProject();
  const run = useSessionRun(sessionId);
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
      {run.data !== undefined && <Run key={sessionId} run={run.data} />}
    </Page>
  );
}

function Run({ run }: { readonly run: SessionRun }) {
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
      <Steps run={run} />
      <RunFeedback feedback={feedback} />
    </Stack>
  );
}

function Steps({ run: { tree, totals, feedback } }: { readonly run: SessionRun }) {
  const { id: projectId } = useProject();
  const [offset, setOffset] = useState(0);
  const lines = listSteps(tree);
  const shown = lines.slice(offset, offset + PAGE_SIZE);
  const outlines = useOutlines(shown.flatMap((line) => (line.kind === "call" ? [line.call.id] : [])));
  return (
    <>
      <ol className="attune-card attune-steps" aria-label="Steps, in order">
        {shown.map((line) =>
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
              feedback={feedback.filter(({ inferenceId, sessionId }) => {
                return inferenceId === line.call.id && sessionId === null;
              })}
            />
          ),
        )}
      </ol>
      <Pager total={lines.length} pageSize={PAGE_SIZE} offset={offset} onChange={setOffset} />
    </>
  );
}
