import type { FeedbackEntryRow } from "../../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import * as naive from "./naive.ts";
import { type Asked, NO_FIGURE, type Page } from "./page.ts";

/** Requests that a list shows at once. */
const PAGE = 100;

/** Returns the tokens of a whole prompt; null where they are not known. */
export function promptTokens({ inputTokens, ...call }: InferenceRow): number | null {
  return inputTokens == null ? null : inputTokens + (call.cacheReadTokens ?? 0) + (call.cacheWriteTokens ?? 0);
}

/** Returns the feedback on a call, counted; null without any. */
export function countFeedback(feedback: readonly FeedbackEntryRow[], { id }: InferenceRow) {
  const own = feedback.filter(({ inferenceId }) => inferenceId === id);
  const rated = own.filter(({ kind }) => kind === "boolean");
  const good = rated.filter(({ booleanValue, optimize }) => booleanValue === (optimize !== "min")).length;
  return own.length === 0 ? null : { good, bad: rated.length - good, others: own.length - rated.length };
}

/** Returns calls with the newest first. */
export function newestFirst(calls: readonly InferenceRow[]): InferenceRow[] {
  return calls.toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

/** The newest requests of a filter. */
export function requests({ history, pick }: Asked): ReturnType<Page<"history.list">> {
  const filter = pick([{}, { keyId: "keyA" }, { status: "failed" }, { endUserId: "ada" }, { model: "small" }] as const);
  const isAsked = (call: InferenceRow) =>
    Object.entries(filter).every(([name, value]) => call[name as keyof InferenceRow] === value);
  return {
    input: { filter, limit: PAGE },
    output: {
      next: NO_FIGURE,
      searchedTo: NO_FIGURE,
      looked: NO_FIGURE,
      rows: newestFirst(history.calls.filter(isAsked))
        .slice(0, PAGE)
        .map((call) => ({
          id: call.id,
          startedAt: NO_FIGURE,
          status: NO_FIGURE,
          model: NO_FIGURE,
          keyId: NO_FIGURE,
          workload: NO_FIGURE,
          errorReason: NO_FIGURE,
          servedModel: NO_FIGURE,
          sessionId: NO_FIGURE,
          endUserId: NO_FIGURE,
          tags: NO_FIGURE,
          prompt: NO_FIGURE,
          answer: NO_FIGURE,
          costGaps: NO_FIGURE,
          promptTokens: promptTokens(call),
          outputTokens: call.outputTokens ?? null,
          usageEstimated: call.usageEstimated,
          costNanos: call.costNanos ?? null,
          latencyMs: call.latencyMs,
          feedback: countFeedback(history.feedback, call),
        })),
    },
  };
}

/** One request. */
export function request({ history, pick }: Asked): ReturnType<Page<"history.request">> {
  const call = pick(history.calls);
  const { projectId: _, coalescingKey: _key, ...facts } = call;
  const unshown = { optimizations: NO_FIGURE, decision: NO_FIGURE };
  return {
    input: { id: call.id },
    output: {
      facts: {
        ...facts,
        promptTokens: promptTokens(call),
        startedAt: NO_FIGURE,
        deletedAt: NO_FIGURE,
        saved: call.saved ?? null,
        billing: NO_FIGURE,
        reportedCostNanos: NO_FIGURE,
        costGaps: NO_FIGURE,
        tags: NO_FIGURE,
        translationLosses: NO_FIGURE,
        ...unshown,
      },
      decision: NO_FIGURE,
      cost: NO_FIGURE,
      attempts: NO_FIGURE,
      earlier: NO_FIGURE,
      content: NO_FIGURE,
      isRedacted: NO_FIGURE,
      hasEarlierFeedback: NO_FIGURE,
      feedback: NO_FIGURE,
    },
  };
}

/** Returns the rows of an export as CSV. */
export function requestsCsv({ calls, feedback }: Asked["history"]) {
  return newestFirst(calls).map((call) => {
    const { good = 0, bad = 0, others = 0 } = countFeedback(feedback, call) ?? {};
    return {
      id: call.id,
      started_at: NO_FIGURE,
      status: call.status,
      error_reason: call.errorReason ?? null,
      model: call.model,
      served_model: naive.answeredBy(call),
      key_id: call.keyId,
      workload: call.workload || null,
      session_id: call.sessionId ?? null,
      end_user_id: call.endUserId ?? null,
      tags: NO_FIGURE,
      prompt_tokens: promptTokens(call),
      output_tokens: call.outputTokens ?? null,
      cost_usd: call.costNanos == null ? null : call.costNanos / 1e9,
      cost_gaps: null,
      latency_ms: Number(call.latencyMs.toFixed(3)),
      prompt: null,
      answer: null,
      feedback_good: good,
      feedback_bad: bad,
      feedback_others: others,
    };
  });
}
