import { Anchor, Badge, Group, Text } from "@mantine/core";
import { type CSSProperties, memo } from "react";
import { Link } from "react-router";
import {
  formatLatency,
  formatListedCost,
  formatPercent,
  formatShort,
  markEstimate,
  NONE,
} from "../../../web/parts/format.ts";
import { firstWordsText, nameText } from "../../../web/parts/name-text.ts";
import { reasonText } from "../../../web/parts/reason-text.ts";
import { useProject } from "../../../web/shell/session.ts";
import type { Outline, RunCall, RunStep, SessionRun } from "./use-session-run.ts";

interface Props {
  readonly line: Extract<RunStep, { kind: "call" }>;
  /** Undefined where the texts are not kept, or not there yet. */
  readonly outline: Outline | undefined;
  /** The beginning of the run, in milliseconds since 1970, and how long it took. */
  readonly startMs: number;
  readonly tookMs: number;
  /** Its state at the time that is played; undefined before anything is. */
  readonly played: "to come" | "under way" | "over" | undefined;
  /** Feedback on this call. */
  readonly feedback: SessionRun["feedback"];
}

/** Tells styles how deep a line is: subagents stand below the session that began them. */
export function indentStyle(depth: number): CSSProperties {
  return { "--attune-depth": depth } as CSSProperties;
}

/** One step of a run: a link to its call, with what it said and called, and its place in time. */
export const StepRow = memo(function StepRow({ line, outline, startMs, tookMs, played, feedback }: Props) {
  const { depth, number, call } = line;
  const { id: projectId } = useProject();
  const tools = outline?.tools ?? [];
  return (
    <li
      className="attune-step"
      data-played={played}
      data-step={number}
      aria-current={played === "under way" ? "step" : undefined}
      style={indentStyle(depth)}
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
              {firstWordsText(outline.answer || outline.prompt)}
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
      <Bar call={call} startMs={startMs} tookMs={tookMs} />
    </li>
  );
});

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
      <span>{formatLatency(latencyMs)}</span>
      <span>{markEstimate(formatListedCost(costNanos), usageEstimated)}</span>
      <span title="prompt → answer, in tokens">
        {promptTokens === null ? NONE : `${formatShort(promptTokens)} → ${formatShort(outputTokens ?? 0)}`}
      </span>
      {cached > 0 && <span className="attune-step-cached">{formatPercent(cached)} cached</span>}
    </Text>
  );
}

/** When in the run the call was, and how long it took. */
function Bar({ call, startMs, tookMs }: Pick<Props, "startMs" | "tookMs"> & { readonly call: RunCall }) {
  const left = tookMs === 0 ? 0 : (new Date(call.startedAt).getTime() - startMs) / tookMs;
  const width = tookMs === 0 ? 1 : call.latencyMs / tookMs;
  return (
    <div className="attune-step-track" aria-hidden>
      <div
        className="attune-step-bar"
        data-failed={call.status === "failed"}
        style={{ left: `${100 * left}%`, width: `${100 * width}%` }}
      />
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
