import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { comparedText, displayName, id } from "../access/fields.ts";
import { projectProcedure, router } from "../access/procedures.ts";

const MAX_SEARCH = 4000;

/** Filters of the history under a name, which all who see the project share. */
export const viewsRouter = router({
  list: projectProcedure.query(({ ctx, input }) => ctx.store.savedViews.list(input.projectId)),

  /** Saves a view, in the place of one of the same name. */
  save: projectProcedure
    .input(z.object({ name: displayName, search: comparedText(MAX_SEARCH) }))
    .mutation(async ({ ctx, input: { projectId, ...view } }) => {
      if (await ctx.store.savedViews.save(projectId, view)) return;
      throw new TRPCError({ code: "CONFLICT", message: "the project has 100 views, the most: remove one first" });
    }),

  remove: projectProcedure.input(z.object({ id })).mutation(async ({ ctx, input }) => {
    if (await ctx.store.savedViews.remove(input.projectId, input.id)) return;
    throw new TRPCError({ code: "NOT_FOUND", message: "there is no such view" });
  }),
});
