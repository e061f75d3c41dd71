import type { Rebuild } from "../../../store/dashboard/rebuilds.ts";
import { operationProcedure, projectProcedure, router } from "../../access/procedures.ts";

/** Rebuilds of what was learned in a project, in the background. */
export const rebuildsRouter = router({
  /** The rebuild that waits or runs, or else the latest one; null where nobody has asked for any. */
  read: projectProcedure.query(async ({ ctx, input: { projectId } }) =>
    toView(await ctx.store.rebuilds.read(projectId)),
  ),

  /** Asks for a rebuild; one that waits or runs already stands for it. */
  request: operationProcedure("rebuildWorkloads").mutation(async ({ ctx, input: { projectId: project } }) => {
    await ctx.operation({ project });
  }),

  /** Cancels the rebuild that waits or runs. */
  cancel: operationProcedure("cancelRebuild").mutation(async ({ ctx, input: { projectId: project } }) => {
    await ctx.operation({ project });
  }),
});

function toView(rebuild: Rebuild | undefined) {
  if (rebuild === undefined) return null;
  const { state, actorLabel, requestedAt, startedAt, endedAt, workloads, events, problem, nextAt } = rebuild;
  return { state, requestedBy: actorLabel, requestedAt, startedAt, endedAt, workloads, events, problem, nextAt };
}
