import { projectProcedure, router } from "../access/procedures.ts";
import { groupFailures, seriesByReason } from "../errors/group-failures.ts";
import { countBy, groupWords } from "../errors/group-words.ts";
import { planRollups } from "../feedback/rollup-window.ts";
import { listBuckets, rangeInput } from "../figures/window.ts";

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
    const { range, bucket, ...window } = planRollups(input, Date.now());
    const { reads } = ctx.store;
    const [counted, latest, refused, [total], changes] = await Promise.all([
      reads.readFailures({ projectId, range, bucket }),
      reads.readFailedCalls({ projectId, range, limit: MOST_READ }),
      reads.readRefusalHours(projectId, range),
      reads.readUsage({ projectId, range, bucket: "none", group: "none" }),
      reads.readChanges({ projectId, range }),
    ]);
    const buckets = listBuckets(window);
    const groups = groupFailures(counted);
    const words = groupWords(latest);
    const [sessions, users] = [countBy(latest, (call) => call.sessionId), countBy(latest, (call) => call.endUserId)];
    const steps = { buckets, stepMs: window.stepMs };
    return {
      ...{ fromMs: window.fromMs, toMs: window.toMs, stepMs: window.stepMs, buckets },
      calls: total?.calls ?? 0,
      failed: sumOf(counted),
      refused: sumOf(refused),
      series: [
        ...seriesByReason(counted, { ...steps, isRefused: false }),
        ...seriesByReason(refused, { ...steps, isRefused: true }),
      ],
      groups: groups.slice(0, MOST_GROUPS),
      groupCount: groups.length,
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
});

function sumOf(counts: readonly { readonly calls: number }[]): number {
  return counts.reduce((sum, { calls }) => sum + calls, 0);
}
