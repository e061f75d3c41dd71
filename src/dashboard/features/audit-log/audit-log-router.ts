import { z } from "zod";
import { comparedText } from "../../access/fields.ts";
import { projectProcedure, router } from "../../access/procedures.ts";
import { checkWindow, timeWindow } from "../history/filter.ts";

const MAX_LENGTH = 320;

const filter = z
  .object({
    ...timeWindow,
    /** Id or name of the actor. */
    actor: comparedText(MAX_LENGTH).optional(),
    /** An action such as keys.create, or an area such as keys. */
    action: comparedText(MAX_LENGTH).optional(),
  })
  .check(checkWindow);

const limit = z.int("must be a whole number").min(1, "must be 1 or more").max(200, "must be 200 or less").default(50);
const cursor = z.int("must be a whole number").min(1, "must be 1 or more").optional();
const FORMATS = ["jsonl", "csv"] as const;

/** The changes of a project, for its owners. */
export const auditLogRouter = router({
  /** Lists the entries, the newest first. */
  list: projectProcedure
    .input(z.object({ filter, cursor, limit }))
    .query(async ({ ctx, input: { projectId, filter: asked, cursor: before, limit: most } }) => {
      const entries = await ctx.store.auditLog.list({ projectId, ...asked, before, limit: most });
      return { entries, next: entries.length < most ? null : (entries.at(-1)?.sequence ?? null) };
    }),

  /** Returns what an export holds; the export asks this before it begins. */
  exportPlan: projectProcedure
    .input(z.object({ filter, format: z.enum(FORMATS, `must be ${FORMATS.join(" or ")}`) }))
    .query(({ input: { projectId, filter: conditions, format } }) => ({
      filter: { projectId, ...conditions },
      format,
    })),
});
