import { TRPCError } from "@trpc/server";
import { type Rebuild, RebuildImpossible, RebuildTooSoon } from "../../store/dashboard/rebuilds.ts";
import { projectProcedure, router } from "../access/procedures.ts";

/** Rebuilds of what was learned in a project, in the background. */
export const rebuildsRouter = router({
  /** The rebuild that waits or runs, or else the latest one; null where nobody has asked for any. */
  read: projectProcedure.query(async ({ ctx, input: { projectId } }) =>
    toView(await ctx.store.rebuilds.read(projectId)),
  ),

  /** Asks for a rebuild; one that waits or runs already stands for it. */
  request: projectProcedure.mutation(async ({ ctx, input: { projectId } }) => {
    try {
      return toView(await ctx.store.rebuilds.request(projectId));
    } catch (thrown) {
      throw toRefusal(thrown);
    }
  }),

  /** Cancels the rebuild that waits or runs, and tells what became of it. */
  cancel: projectProcedure.mutation(async ({ ctx, input: { projectId } }) =>
    toView(await ctx.store.rebuilds.cancel(projectId)),
  ),
});

function toView(rebuild: Rebuild | undefined) {
  if (rebuild === undefined) return null;
  const { state, actorLabel, requestedAt, startedAt, endedAt, workloads, events, problem, nextAt } = rebuild;
  return { state, requestedBy: actorLabel, requestedAt, startedAt, endedAt, workloads, events, problem, nextAt };
}

function toRefusal(thrown: unknown): unknown {
  if (thrown instanceof RebuildImpossible) {
    return new TRPCError({ code: "CONFLICT", message: `the project ${thrown.message}` });
  }
  if (!(thrown instanceof RebuildTooSoon)) return thrown;
  const message = `${thrown.message}, and nothing is learned while one runs: ask again after ${thrown.next.toISOString()}`;
  return new TRPCError({ code: "TOO_MANY_REQUESTS", message });
}
