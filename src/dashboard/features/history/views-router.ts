import { z } from "zod";
import { removeView, saveView } from "../../../operations/saved-views.ts";
import { comparedText, id } from "../../access/fields.ts";
import { projectProcedure, router } from "../../access/procedures.ts";

const MAX_SEARCH = 4000;
const text = z.string("must be a text");

/** Filters of the history under a name, which all who see the project share. */
export const viewsRouter = router({
  list: projectProcedure.query(({ ctx, input }) => ctx.store.savedViews.list(input.projectId)),

  /** Saves a view, in the place of one of the same name. */
  save: projectProcedure
    .input(z.object({ name: text, search: comparedText(MAX_SEARCH) }))
    .mutation(({ ctx, input: { projectId, ...view } }) => saveView(ctx.store.savedViews, projectId, view)),

  remove: projectProcedure
    .input(z.object({ id }))
    .mutation(({ ctx, input }) => removeView(ctx.store.savedViews, input.projectId, input.id)),
});
