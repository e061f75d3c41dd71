import type { FigureColumn, UsageDimension } from "../../../src/figures/usage.ts";
import type { FeedbackEntryRow } from "../../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import type { History } from "./history.ts";
import * as naive from "./naive.ts";
import { DAY, HOUR, sum, within } from "./naive.ts";
import { DIMENSIONS, trialCost } from "./pages.ts";

type Figures = Readonly<Record<FigureColumn, number | null>>;

/** The dimensions that usage is asked for. */
export const GROUPINGS: readonly (readonly UsageDimension[])[] = [
  ...([[], ["key"], ["model"], ["key", "model", "workload"], ["project", "workload"]] as const),
  ...([
    ["session"],
    ["session", "model"],
    ["end_user"],
    ["end_user", "key"],
    ["tag"],
    ["tag", "key", "project"],
  ] as const),
];

/** Returns usage as JSON tells it, from the rows. */
export function usage(
  { calls, feedback, ...history }: History,
  groupBy: readonly UsageDimension[],
  time: { readonly fromMs: number; readonly toMs: number; readonly hoursSinceMs: number },
  prefix = "attune",
) {
  const unit = groupBy.some((name) => name === "end_user" || name === "tag") ? DAY : HOUR;
  const span = { ...time, unit };
  const callOf = new Map(calls.map((call) => [call.id, call]));
  const asked = within(calls, span).map((call) => ({ call, entries: [] as FeedbackEntryRow[] }));
  const given = within(feedback, span).map((entry) => ({ call: callOf.get(entry.inferenceId), entries: [entry] }));
  const groups = new Map<string, { values: readonly string[]; calls: InferenceRow[]; entries: FeedbackEntryRow[] }>();
  for (const { call, entries } of [...asked, ...given]) {
    if (call === undefined) continue;
    for (const values of valuesOf(call, groupBy)) {
      const group = groups.get(values.join("\0")) ?? { values, calls: [], entries: [] };
      groups.set(values.join("\0"), group);
      if (entries.length === 0) group.calls.push(call);
      group.entries.push(...entries);
    }
  }
  const trials = trialCost({ calls, feedback, ...history }, span);
  const cost_usd = trials.costNanos === null ? null : trials.costNanos / 1e9;
  return {
    data: [...groups.values()].map((group) => ({
      ...Object.fromEntries(
        groupBy.map((name, at) => [name, name === "model" ? `${prefix}/${group.values[at]}` : group.values[at]]),
      ),
      ...figuresOf(group.calls, group.entries),
    })),
    total: figuresOf(within(calls, span), within(feedback, span)),
    ...(trials.trials + trials.checks > 0 && {
      shadow_trials: { trials: trials.trials, checks: trials.checks, cost_usd },
    }),
  };
}

function valuesOf(call: InferenceRow, groupBy: readonly UsageDimension[]): string[][] {
  return groupBy.reduce<string[][]>(
    (all, dimension) => all.flatMap((values) => DIMENSIONS[dimension](call).map((value) => [...values, value])),
    [[]],
  );
}

function figuresOf(calls: readonly InferenceRow[], entries: readonly FeedbackEntryRow[]): Figures {
  const cost = naive.knownCost(calls);
  return {
    calls: calls.length,
    failed_calls: naive.failed(calls).length,
    input_tokens: sum(calls, ({ inputTokens }) => inputTokens),
    cache_read_tokens: sum(calls, ({ cacheReadTokens }) => cacheReadTokens),
    cache_write_tokens: sum(calls, ({ cacheWriteTokens }) => cacheWriteTokens),
    output_tokens: naive.answered(calls),
    reasoning_tokens: sum(calls, ({ reasoningTokens }) => reasoningTokens),
    estimated_calls: calls.filter(({ usageEstimated }) => usageEstimated).length,
    priced_calls: naive.priced(calls).length,
    cost_usd: cost === null ? null : cost / 1e9,
    latency_p50_ms: naive.latency(calls, 0.5),
    latency_p95_ms: naive.latency(calls, 0.95),
    feedback_entries: entries.length,
    boolean_feedback_entries: entries.filter(({ kind }) => kind === "boolean").length,
    true_feedback_entries: entries.filter(({ booleanValue }) => booleanValue === true).length,
  };
}

/** Returns the days of an end user's calls, as their export tells them: by key and status. */
export function daysOf(calls: readonly InferenceRow[]) {
  const dayOf = (call: InferenceRow) => new Date(naive.timeOf(call)).toISOString().slice(0, 10);
  return naive
    .by(calls, (call) => JSON.stringify([dayOf(call), call.keyId, call.status]))
    .map(([, own]) => {
      const { calls: count, ...figures } = figuresOf(own, []);
      const [one] = own;
      return {
        day: one && dayOf(one),
        keyId: one?.keyId,
        status: one?.status,
        calls: count,
        inputTokens: figures.input_tokens,
        cacheReadTokens: figures.cache_read_tokens,
        cacheWriteTokens: figures.cache_write_tokens,
        outputTokens: figures.output_tokens,
        reasoningTokens: figures.reasoning_tokens,
        estimatedCalls: figures.estimated_calls,
        pricedCalls: figures.priced_calls,
        costNanos: naive.cost(own),
      };
    });
}
