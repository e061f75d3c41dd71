import { z } from "zod";
import { endUserProblem } from "../../../quotas/owner-name.ts";
import { atFields } from "../../access/operation-errors.ts";
import { operationProcedure, projectProcedure, router } from "../../access/procedures.ts";

const endUserId = z.string("must be a text").check(({ value, issues }) => {
  const message = endUserProblem(value);
  if (message !== undefined) issues.push({ code: "custom", message, input: value });
});

/** The data of end users, for owners of their project. */
export const endUsersRouter = router({
  /** Lists the latest deletions. */
  deletions: projectProcedure.query(async ({ ctx, input }) => {
    const rows = await ctx.store.endUsers.deletions(input.projectId);
    return rows.map(({ id, endUserId, actorLabel, requestedAt, state, inferences, feedback, conversations }) => {
      return { id, endUserId, requestedBy: actorLabel, requestedAt, state, inferences, feedback, conversations };
    });
  }),

  /** Counts what a deletion would delete. */
  count: projectProcedure.input(z.object({ endUserId })).query(({ ctx, input }) => ctx.store.endUsers.count(input)),

  /** Begins to delete all that the calls of an end user left. */
  delete: operationProcedure("deleteEndUser")
    .input(z.object({ endUserId: z.string("must be a text") }))
    .mutation(async ({ ctx, input: { projectId: project, endUserId: id } }) => {
      await atFields(ctx.operation({ project, id }), { id: "endUserId" });
    }),

  /** Returns the end user of an export; the export asks this before it begins. */
  exportPlan: projectProcedure.input(z.object({ endUserId })).query(({ input }) => input),
});
