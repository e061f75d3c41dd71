import { TRPCError } from "@trpc/server";
import { z } from "zod";
import type { RunCall } from "../../../store/dashboard/reads/read-session-run.ts";
import { readBodies } from "../../../store/read/queries/read-bodies.ts";
import { comparedText, id } from "../../access/fields.ts";
import { projectProcedure, router } from "../../access/procedures.ts";
import { describeFeedback } from "../history/describe-request.ts";
import { listRunSteps } from "./run-steps.ts";

/** Calls whose texts are read at once. */
const MOST_OUTLINES = 25;

/** Lines of a run that are read at once. */
const MOST_STEPS = 100;

const offset = z.int("must be a whole number").min(0, "must not be negative").default(0);
const sessionId = comparedText(256).min(1, "must not be empty");

/** Runs of agents. */
export const sessionsRouter = router({
  /**
   * A part of the latest run of a session in order, with the sessions that it began, and what was said of these calls
   * and of the session as a whole; the totals are of all its calls.
   */
  read: projectProcedure.input(z.object({ sessionId, offset })).query(async ({ ctx, input }) => {
    const run = found(await ctx.store.reads.readSessionRun(input));
    const { calls, feedback, isCut, hasEarlier } = run;
    const lines = listRunSteps(calls, input.sessionId);
    const steps = lines.slice(input.offset, input.offset + MOST_STEPS);
    const shown = new Set(steps.map((step) => (step.kind === "call" ? step.call.id : "")));
    const shownFeedback = feedback.filter((entry) => entry.sessionId !== null || shown.has(entry.inferenceId));
    return {
      steps: steps.map((step) => (step.kind === "call" ? { ...step, call: describeCall(step.call) } : step)),
      continued: continuedSession(steps[0]),
      stepCount: lines.length,
      totals: runTotals(calls),
      parentSessionId: calls.find((call) => call.sessionId === input.sessionId)?.parentSessionId ?? null,
      feedback: shownFeedback.map((entry) => ({ ...describeFeedback(entry), inferenceId: entry.inferenceId })),
      isCut,
      hasEarlier,
    };
  }),

  /** All calls of the latest run of a session in order of time, each with no more than what it is played by. */
  timeline: projectProcedure.input(z.object({ sessionId })).query(async ({ ctx, input }) => {
    const { calls } = found(await ctx.store.reads.readSessionRun(input));
    return { calls: runTimeline(listRunSteps(calls, input.sessionId)) };
  }),

  /** The tools that answers called and how prompts and answers begin, of some calls whose texts are kept. */
  outlines: projectProcedure
    .input(z.object({ ids: z.array(id).max(MOST_OUTLINES, `must have at most ${MOST_OUTLINES}`) }))
    .query(async ({ ctx, input: { projectId, ids } }) => {
      const { reads } = ctx.store;
      const outlines = [];
      for await (const { id: own, body } of readBodies(reads, await reads.keepOwn(projectId, ids))) {
        if (body === undefined) continue;
        outlines.push({ id: own, ...(await ctx.contents.read("outline", { projectId, body })) });
      }
      return outlines;
    }),
});

/** The session of a subagent whose first steps are on the page before; null where a page begins with none. */
function continuedSession(first: ReturnType<typeof listRunSteps>[number] | undefined) {
  if (first?.kind !== "call" || first.depth === 0) return null;
  return { sessionId: first.call.sessionId ?? "", depth: first.depth };
}

function found<Run>(run: Run | undefined): Run {
  if (run === undefined) throw new TRPCError({ code: "NOT_FOUND", message: "there is no such session" });
  return run;
}

function describeCall({ sessionId: _, parentSessionId: _parent, ...call }: RunCall) {
  const { inputTokens, cacheReadTokens, cacheWriteTokens } = call;
  const isKnown = typeof inputTokens === "number";
  return {
    ...call,
    servedModel: call.servedModel || call.model,
    promptTokens: isKnown ? inputTokens + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0) : null,
  };
}

/** A call of a run with no more than what it is played by. */
interface TimelineCall {
  /** Its place among the lines of the run, which tells the page that it is on. */
  readonly line: number;
  /** Its place in order of time, from 1. */
  readonly number: number;
  readonly depth: number;
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly latencyMs: number;
  readonly isFailed: boolean;
  /** Of prompt and answer, as far as they are known. */
  readonly tokens: number;
  /** Zero where the cost is not known. */
  readonly costNanos: number;
}

/** Lists the calls of all lines of a run in order of time. */
function runTimeline(lines: ReturnType<typeof listRunSteps>): TimelineCall[] {
  const calls = lines.flatMap((step, line) => {
    if (step.kind === "session") return [];
    const { number, depth, call } = step;
    const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = call;
    const counts = [inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens];
    return {
      line,
      number,
      depth,
      startMs: call.startedAt.getTime(),
      latencyMs: call.latencyMs,
      isFailed: call.status === "failed",
      costNanos: call.costNanos ?? 0,
      tokens: counts.reduce<number>((sum, count) => sum + (count ?? 0), 0),
    };
  });
  return calls.sort((a, b) => a.startMs - b.startMs || a.number - b.number);
}

/** The sums of a run. */
interface RunTotals {
  readonly calls: number;
  readonly failed: number;
  readonly sessions: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Calls whose cost is known; the cost is of these. */
  readonly pricedCalls: number;
  readonly costNanos: number;
  /** From the start of the first call to the end of the last. */
  readonly tookMs: number;
  readonly startMs: number;
  readonly models: readonly { readonly model: string; readonly calls: number }[];
}

/** Adds up the calls of a run, which are in order of time. */
function runTotals(calls: readonly RunCall[]): RunTotals {
  const sum = (value: (call: RunCall) => number | null | undefined) =>
    calls.reduce((total, call) => total + (value(call) ?? 0), 0);
  const startMs = Math.min(...calls.map(({ startedAt }) => startedAt.getTime()));
  const endMs = Math.max(...calls.map(({ startedAt, latencyMs }) => startedAt.getTime() + latencyMs));
  const models = Map.groupBy(calls, ({ model, servedModel }) => servedModel || model);
  return {
    calls: calls.length,
    failed: calls.filter(({ status }) => status === "failed").length,
    sessions: new Set(calls.map(({ sessionId }) => sessionId)).size,
    promptTokens: sum((call) => (call.inputTokens ?? 0) + (call.cacheReadTokens ?? 0) + (call.cacheWriteTokens ?? 0)),
    cachedTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    pricedCalls: calls.filter(({ costNanos }) => costNanos != null).length,
    costNanos: sum(({ costNanos }) => costNanos),
    tookMs: endMs - startMs,
    startMs,
    models: [...models].map(([model, own]) => ({ model, calls: own.length })).sort((a, b) => b.calls - a.calls),
  };
}
