import { Text, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import {
  formatLatency,
  formatListedCost,
  formatTime,
  formatTokens,
  markEstimate,
  markGaps,
  NONE,
} from "../../../../web/parts/format.ts";
import { nameText } from "../../../../web/parts/name-text.ts";
import { StatusBadge } from "../status-badge.tsx";
import type { RequestSummary } from "../types.ts";

interface Cell {
  readonly request: RequestSummary;
  readonly keyName: string;
}

interface Column {
  readonly heading: string;
  /** Its width, as a track of a CSS grid. */
  readonly track: string;
  readonly isNumber?: true;
  /** Phones have no headings, and place cells by their classes: see history.css. */
  readonly cell: (cell: Cell) => ReactNode;
}

const clock = new Intl.DateTimeFormat("en-GB", {
  day: "2-digit",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** The columns of the list of requests, in their order. */
export const COLUMNS: readonly Column[] = [
  { heading: "Started", track: "8.25rem", cell: Started },
  { heading: "Model", track: "minmax(8rem, 1.3fr)", cell: Models },
  { heading: "Status", track: "5.5rem", cell: Status },
  { heading: "Workload, key", track: "minmax(9rem, 1.3fr)", cell: Where },
  { heading: "Prompt → answer", track: "9.5rem", isNumber: true, cell: Tokens },
  { heading: "Cost", track: "6rem", isNumber: true, cell: Cost },
  { heading: "Took", track: "4.75rem", isNumber: true, cell: Took },
];

/** The columns as a CSS grid, for the heads and for each row. */
export const TRACKS = COLUMNS.map(({ track }) => track).join(" ");

function Started({ request: { startedAt } }: Cell) {
  return (
    <time dateTime={startedAt} title={formatTime(startedAt)} className="attune-request-time">
      {clock.format(new Date(startedAt))}
    </time>
  );
}

function Models({ request: { model, servedModel } }: Cell) {
  const models = servedModel === model ? nameText(model) : `${nameText(model)} → ${nameText(servedModel)}`;
  return (
    <span className="attune-request-model" title={models}>
      {models}
    </span>
  );
}

function Status({ request: { status } }: Cell) {
  return (
    <span className="attune-request-status">
      <StatusBadge status={status} />
    </span>
  );
}

function Where({ request: { workload, errorReason }, keyName }: Cell) {
  const where = workload === "" ? keyName : `${nameText(workload)} · ${keyName}`;
  return (
    <Text span fz="sm" c="dimmed" className="attune-request-where" title={where}>
      {errorReason != null && (
        <Text span fz="sm" c="var(--attune-bad)">{`${errorReason.replaceAll("_", " ")} · `}</Text>
      )}
      {where}
    </Text>
  );
}

function Tokens({ request: { promptTokens, outputTokens } }: Cell) {
  if (promptTokens === null && outputTokens === null)
    return <span className="attune-number attune-request-tokens">{NONE}</span>;
  const short = (tokens: number | null | undefined) => (tokens ?? 0).toLocaleString("en-US");
  const title = `${formatTokens(promptTokens)} in the prompt, ${formatTokens(outputTokens)} in the answer`;
  return (
    <span className="attune-number attune-request-tokens" title={title}>
      {short(promptTokens)} → {short(outputTokens)} <span aria-hidden>tok</span>
      <VisuallyHidden>tokens</VisuallyHidden>
    </span>
  );
}

function Cost({ request: { costNanos, costGaps, usageEstimated } }: Cell) {
  return (
    <span className="attune-number" title={costTitle(usageEstimated, costGaps)}>
      <VisuallyHidden>
        {`${usageEstimated ? "estimated cost" : "cost"}${costGaps.length > 0 ? " of at least" : ""} `}
      </VisuallyHidden>
      {markGaps(markEstimate(formatListedCost(costNanos), usageEstimated), costGaps)}
    </span>
  );
}

function costTitle(isEstimated: boolean, gaps: readonly string[]): string | undefined {
  if (gaps.length > 0) return `At least: no price is known for ${gaps.join(", ")}`;
  return isEstimated ? "An estimate: the upstream did not count the tokens" : undefined;
}

function Took({ request: { latencyMs } }: Cell) {
  return (
    <span className="attune-number">
      <VisuallyHidden>took </VisuallyHidden>
      {formatLatency(latencyMs)}
    </span>
  );
}
