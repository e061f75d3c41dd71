import type { Figures, GetUsageResponse, ShadowTrials } from "../../gen/attune/usage/v1/usage_pb.ts";
import type { ShadowUsage, UsageFigures, UsageReport } from "./usage.ts";

/** Returns the report of a response of whichever service; latencies have three digits. */
export function usageFromMessage({ groups, total, shadowTrials }: Omit<GetUsageResponse, "$typeName">): UsageReport {
  return {
    shadow: shadowTrials && toShadow(shadowTrials),
    groups: groups.map(({ values, figures }) => ({ values, figures: toFigures(figures) })),
    total: toFigures(total),
  };
}

function toShadow({ trials, checks, costNanoUsd }: ShadowTrials): ShadowUsage {
  const costNanos = costNanoUsd === undefined ? null : Number(costNanoUsd);
  return { trials: Number(trials), checks: Number(checks), costNanos };
}

function toFigures(figures: Figures | undefined): UsageFigures {
  return {
    calls: Number(figures?.calls ?? 0),
    failedCalls: Number(figures?.failedCalls ?? 0),
    inputTokens: Number(figures?.inputTokens ?? 0),
    cacheReadTokens: Number(figures?.cacheReadTokens ?? 0),
    cacheWriteTokens: Number(figures?.cacheWriteTokens ?? 0),
    outputTokens: Number(figures?.outputTokens ?? 0),
    reasoningTokens: Number(figures?.reasoningTokens ?? 0),
    estimatedCalls: Number(figures?.estimatedCalls ?? 0),
    pricedCalls: Number(figures?.pricedCalls ?? 0),
    costNanos: Number(figures?.costNanoUsd ?? 0),
    latencyP50Ms: rounded(figures?.latencyP50Ms),
    latencyP95Ms: rounded(figures?.latencyP95Ms),
    feedback: toFeedback(figures),
  };
}

function toFeedback(figures: Figures | undefined): UsageFigures["feedback"] {
  if (figures?.feedbackEntries === undefined) return undefined;
  const { feedbackEntries, booleanFeedbackEntries = 0n, trueFeedbackEntries = 0n } = figures;
  return {
    entries: Number(feedbackEntries),
    booleans: Number(booleanFeedbackEntries),
    trues: Number(trueFeedbackEntries),
  };
}

/** They are right to five percent: further digits would say nothing. */
function rounded(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Number(ms.toPrecision(3));
}
