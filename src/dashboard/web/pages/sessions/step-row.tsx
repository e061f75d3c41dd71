import { Anchor, Badge, Group, Text } from "@mantine/core";
import { Link } from "react-router";
import { formatDuration, formatPercent, formatShort, formatShortCost, markEstimate, NONE } from "../../parts/format.ts";
import { nameText } from "../../parts/name-text.ts";
import { reasonText } from "../../parts/reason-text.ts";
import { useProject } from "../../shell/session.ts";
import { stateAt } from "./playback.ts";
import type { Outline, RunCall, RunStep, SessionRun } from "./use-session-run.ts";

interface Props {
  readonly line: Extract<RunStep, { kind: "call" }>;
  /** Undefined where the texts are not kept, or not there yet. */
  readonly outline: Outline | undefined;
  readonly totals: SessionRun["totals"];
  /** The time of the run that is played; undefined before anything is. */
  readonly timeMs: number | undefined;
  /** Feedback on this call. */
  readonly feedback: SessionRun["feedback"];
}

/** Returns how far a line is from the edge: subagents stand below the session that began them. */
export function indentOf(depth: number): string {
  return `${1 + 1.5 * depth}rem`;
}

/** One step of a run: a link to its call, with what it said and called, and its place in time. */
export function StepRow({ line: { depth, number, call }, outline, totals, timeMs, feedback }: Props) {
  const { id: projectId } = useProject();
  const tools = outline?.tools ?? [];
  return (
    <li
      className="attune-step"
      data-played={timeMs && stateAt(call, timeMs)}
      style={{ paddingInlineStart: indentOf(depth) }}
    >
      <Group gap="xs" wrap="nowrap" justify="space-between" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Group gap={6}>
            <Anchor component={Link} to={`/projects/${projectId}/history/${call.id}`} fz="sm" fw={600}>
              {number}. {nameText(call.servedModel)}
            </Anchor>
            <Marks call={call} />
            {feedback.map((entry) => (
              <Badge key={entry.id} variant="outline" color="gray" size="sm" tt="none" fw={500}>
                {nameText(entry.name)}: {feedbackText(entry.value)}
              </Badge>
            ))}
          </Group>
          {outline !== undefined && outline.answer + outline.prompt !== "" && (
            <Text fz="sm" c="dimmed" lineClamp={2} style={{ overflowWrap: "anywhere" }}>
              {nameText(outline.answer || outline.prompt)}
            </Text>
          )}
          {tools.length > 0 && (
            <Text fz="sm">
              Called <span className="attune-step-tools">{countTools(tools)}</span>
            </Text>
          )}
        </div>
        <Figures call={call} />
      </Group>
      <Bar call={call} totals={totals} timeMs={timeMs} />
    </li>
  );
}

/** Shows the unusual in a step: its end, another model, losses. */
function Marks({ call }: { readonly call: RunCall }) {
  const { status, errorReason, model, servedModel, deviation, translationLosses } = call;
  return (
    <>
      {status !== "completed" && (
        <Badge variant="filled" color={status === "failed" ? "red.9" : "gray.7"} size="sm" tt="none" fw={500}>
          {status === "failed" ? reasonText(errorReason ?? "") : status}
        </Badge>
      )}
      {(servedModel !== model || deviation === "best_of_n") && (
        <Text span fz="xs" c="dimmed">
          {deviation === "best_of_n" ? "best of several" : `for ${nameText(model)}`}
        </Text>
      )}
      {translationLosses.length > 0 && (
        <Text span fz="xs" c="dimmed" title={translationLosses.join("\n")}>
          {translationLosses.length} lost in translation
        </Text>
      )}
    </>
  );
}

function Figures({ call }: { readonly call: RunCall }) {
  const { promptTokens, cacheReadTokens, outputTokens, costNanos, latencyMs, usageEstimated } = call;
  const cached = promptTokens ? (cacheReadTokens ?? 0) / promptTokens : 0;
  return (
    <Text fz="xs" ta="right" className="attune-step-figures">
      <span>{formatDuration(latencyMs)}</span>
      <span>{markEstimate(formatShortCost(costNanos), usageEstimated)}</span>
      <span title="prompt → answer, in tokens">
        {promptTokens === null ? NONE : `${formatShort(promptTokens)} → ${formatShort(outputTokens ?? 0)}`}
      </span>
      {cached > 0 && <span>{formatPercent(cached)} cached</span>}
    </Text>
  );
}

/** When in the run the call was, and how long it took. */
function Bar({
  call: { startedAt, latencyMs, status },
  totals: { startMs, tookMs },
  timeMs,
}: Pick<Props, "totals" | "timeMs"> & { call: RunCall }) {
  const left = tookMs === 0 ? 0 : (new Date(startedAt).getTime() - startMs) / tookMs;
  const width = tookMs === 0 ? 1 : latencyMs / tookMs;
  return (
    <div className="attune-step-track" aria-hidden>
      <div
        className="attune-step-bar"
        data-failed={status === "failed"}
        style={{ left: `${100 * left}%`, width: `${100 * width}%` }}
      />
      {timeMs !== undefined && tookMs > 0 && (
        <div className="attune-step-cursor" style={{ left: `${(100 * (timeMs - startMs)) / tookMs}%` }} />
      )}
    </div>
  );
}

function countTools(tools: readonly string[]): string {
  const counts = [...Map.groupBy(tools, (name) => name)];
  return counts.map(([name, own]) => `${nameText(name)}${own.length > 1 ? ` × ${own.length}` : ""}`).join(", ");
}

function feedbackText(value: SessionRun["feedback"][number]["value"]): string {
  return typeof value === "boolean" ? (value ? "yes" : "no") : nameText(String(value ?? "")).slice(0, 60);
}
