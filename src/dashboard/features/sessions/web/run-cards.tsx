import {
  formatCost,
  formatDuration,
  formatNumber,
  formatPercent,
  formatShort,
  formatShortCost,
} from "../../../web/parts/format.ts";
import { nameText } from "../../../web/parts/name-text.ts";
import { StatCard } from "../../../web/parts/stat-card.tsx";
import type { SessionRun } from "./use-session-run.ts";

/** The sums of a run. */
export function RunCards({ totals }: Pick<SessionRun, "totals">) {
  const { calls, failed, sessions, promptTokens, cachedTokens, outputTokens, pricedCalls, costNanos, models } = totals;
  const unknown = calls - failed - pricedCalls;
  const [most, ...others] = models;
  return (
    <div className="attune-run-cards">
      <StatCard
        label="Calls"
        value={formatNumber(calls)}
        note={`${failed === 0 ? "none" : formatNumber(failed)} failed; in ${sessions === 1 ? "1 session" : `${sessions} sessions`}`}
      />
      <StatCard label="Took" value={formatDuration(totals.tookMs)} note="from the first call to the last answer" />
      <StatCard
        label="Cost"
        value={formatShortCost(costNanos)}
        exact={formatCost(costNanos)}
        note={unknown > 0 ? `without ${formatNumber(unknown)} of unknown price` : "of all attempts"}
      />
      <StatCard
        label="Tokens"
        value={`${formatShort(promptTokens)} → ${formatShort(outputTokens)}`}
        note={`${formatPercent(promptTokens === 0 ? 0 : cachedTokens / promptTokens)} of the prompts from a cache`}
      />
      <StatCard
        label="Answered mostly by"
        value={<span className="attune-run-model">{nameText(most?.model ?? "")}</span>}
        exact={nameText(most?.model ?? "")}
        note={others.length === 0 ? "all calls" : `${formatNumber(most?.calls)} calls, others by ${others.length} more`}
      />
    </div>
  );
}
