import { Text, VisuallyHidden } from "@mantine/core";
import { memo } from "react";
import { Link, useLocation } from "react-router";
import {
  formatDuration,
  formatShortCost,
  formatTime,
  formatTokens,
  markEstimate,
  NONE,
} from "../../../parts/format.ts";
import { nameText } from "../../../parts/name-text.ts";
import { StatusBadge } from "../status-badge.tsx";
import type { RequestSummary } from "../types.ts";
import { RowWords } from "./row-words.tsx";

const clock = new Intl.DateTimeFormat("en-GB", {
  day: "2-digit",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

interface Props {
  readonly request: RequestSummary;
  readonly keyName: string;
  /** The text that was searched for. */
  readonly query: string;
}

/** A request in the list: a link to its page. */
export const RequestRow = memo(function RequestRow({ request, keyName, query }: Props) {
  const { search } = useLocation();
  const { id, startedAt, model, servedModel, workload, status, errorReason } = request;
  const where = workload === "" ? keyName : `${nameText(workload)} · ${keyName}`;
  const models = servedModel === model ? nameText(model) : `${nameText(model)} → ${nameText(servedModel)}`;
  return (
    <li>
      <Link className="attune-request" to={id} state={{ search }} data-request={id}>
        <time dateTime={startedAt} title={formatTime(startedAt)} className="attune-request-time">
          {clock.format(new Date(startedAt))}
        </time>
        <span className="attune-request-model" title={models}>
          {models}
        </span>
        <span className="attune-request-status">
          <StatusBadge status={status} />
        </span>
        <Text span fz="sm" c="dimmed" className="attune-request-where" title={where}>
          {errorReason != null && (
            <Text span fz="sm" c="var(--attune-bad)">{`${errorReason.replaceAll("_", " ")} · `}</Text>
          )}
          {where}
        </Text>
        <Tokens {...request} />
        <span
          className="attune-number"
          title={request.usageEstimated ? "An estimate: the upstream did not count the tokens" : undefined}
        >
          <VisuallyHidden>{request.usageEstimated ? "estimated cost " : "cost "}</VisuallyHidden>
          {markEstimate(formatShortCost(request.costNanos), request.usageEstimated)}
        </span>
        <span className="attune-number">
          <VisuallyHidden>took </VisuallyHidden>
          {formatDuration(request.latencyMs)}
        </span>
        <RowWords request={request} query={query} />
      </Link>
    </li>
  );
});

function Tokens({ promptTokens, outputTokens }: Pick<RequestSummary, "promptTokens" | "outputTokens">) {
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
