import { z } from "zod";
import { projectProcedure, router } from "../../access/procedures.ts";
import { listBuckets, planWindow, rangeInput } from "../../figures/window.ts";
import { type FailureGroup, groupFailed, seriesByReason } from "./group-failures.ts";
import { countBy, groupWords } from "./group-words.ts";

const DIMENSIONS = ["reason", "upstream", "model", "key", "user"] as const;
const by = z
  .array(z.enum(DIMENSIONS, { error: `must be one of ${DIMENSIONS.join(", ")}` }), "must be a list")
  .min(1, "must have an entry")
  .refine((named) => new Set(named).size === named.length, "must have no entry twice");

/** Groups, words, sessions and end users that are told: those with the most calls. */
const MOST_GROUPS = 300;
const MOST_WORDS = 50;
const MOST_AFFECTED = 20;
/** Failed calls whose words are read: the latest. */
const MOST_READ = 1000;

/** The page of errors: calls that failed, and calls that were refused. */
export const errorsRouter = router({
  /** Failed and refused calls of a time: how many of which reason when, whose they were, and what upstreams said. */
  summary: projectProcedure.input(rangeInput).query(async ({ ctx, input }) => {
    const { projectId } = input;
    const window = planWindow(input, Date.now());
    const { reads } = ctx.store;
    const failed = await reads.readFailures({ projectId, ...window, by: ["reason"] });
    const shown = { fromMs: failed.fromMs, toMs: window.toMs, stepMs: failed.stepMs };
    const range = { from: new Date(shown.fromMs), to: new Date(shown.toMs) };
    const [latest, refused, changes] = await Promise.all([
      reads.readFailedCalls({ projectId, range, limit: MOST_READ }),
      reads.readRefusalSteps({ projectId, range, stepMs: shown.stepMs }),
      reads.readChanges({ projectId, range }),
    ]);
    const buckets = listBuckets(shown);
    const byReason = failed.steps.map(({ startMs, values: { reason = "" }, calls }) => ({
      start: new Date(startMs),
      reason,
      calls,
    }));
    const words = groupWords(latest);
    const [sessions, users] = [countBy(latest, (call) => call.sessionId), countBy(latest, (call) => call.endUserId)];
    const steps = { buckets, stepMs: shown.stepMs };
    return {
      ...shown,
      buckets,
      calls: failed.calls,
      failed: sumCalls(byReason),
      refused: sumCalls(refused),
      series: [
        ...seriesByReason(byReason, { ...steps, isRefused: false }),
        ...seriesByReason(refused, { ...steps, isRefused: true }),
      ],
      /** The words, sessions and end users are of so many calls: the latest. */
      read: latest.length,
      words: words.slice(0, MOST_WORDS),
      sessions: sessions.slice(0, MOST_AFFECTED),
      sessionCount: sessions.length,
      users: users.slice(0, MOST_AFFECTED),
      userCount: users.length,
      changes,
    };
  }),

  /** Failed and refused calls of a time by what they have in common, the most first. */
  groups: projectProcedure.input(rangeInput.and(z.object({ by }))).query(async ({ ctx, input }) => {
    const { projectId } = input;
    const { fromMs, toMs, stepMs } = planWindow(input, Date.now());
    const range = { from: new Date(fromMs), to: new Date(toMs) };
    const { reads } = ctx.store;
    const query = { projectId, range, stepMs, byKey: input.by.includes("key"), limit: MOST_GROUPS };
    const [failed, refused] = await Promise.all([
      groupFailed(reads, { projectId, fromMs, toMs, stepMs, by: input.by }),
      // Of the dimensions they have a reason and a key.
      input.by.includes("reason") ? reads.groupRefusals(query) : { groups: [], count: 0 },
    ]);
    const refusedGroups = refused.groups.map(
      ({ reason, keyId, ...times }): FailureGroup => ({
        isRefused: true,
        values: { reason, ...(keyId !== undefined && { key: keyId }) },
        ...times,
        firstStepMs: 0,
        lastStepMs: 0,
      }),
    );
    const groups = [...failed.groups, ...refusedGroups].sort((a, b) => b.calls - a.calls);
    return {
      groups: groups.slice(0, MOST_GROUPS),
      groupCount: failed.groups.length + refused.count,
      toMs,
      fromMs: failed.latest?.fromMs ?? fromMs,
      /** The calls that end users are told of where there are more: the latest. */
      latestCalls: failed.latest?.calls ?? null,
    };
  }),
});

function sumCalls(counts: readonly { readonly calls: number }[]): number {
  return counts.reduce((sum, { calls }) => sum + calls, 0);
}
