import { projectProcedure, router } from "../../access/procedures.ts";

/** Most items that are told of; others have no label. */
const LISTED = 20_000;

/** The items of a project that `attune apply` manages. */
export const managedRouter = router({
  /** Lists kinds and names: of a key its public id, of a member the address, of limits kind and name of their owner. */
  list: projectProcedure.query(async ({ ctx, input }) => {
    const items = await ctx.store.reads.readManagedItems({ projectId: input.projectId, limit: LISTED });
    return items.map(({ kind, name }) => ({ kind, name }));
  }),
});
