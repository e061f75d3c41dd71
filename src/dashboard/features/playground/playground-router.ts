import { z } from "zod";
import { notFound } from "../../../operations/checks.ts";
import { id } from "../../access/fields.ts";
import { projectProcedure, router } from "../../access/procedures.ts";

/** The playground's own queries; its calls go to the public API below /dashboard/api/playground. */
export const playgroundRouter = router({
  /** Returns the record of a call; null until it is written. */
  facts: projectProcedure
    .input(z.object({ inferenceId: id }))
    .query(
      async ({ ctx, input }) => (await ctx.store.playground.readFacts(input.projectId, input.inferenceId)) ?? null,
    ),

  /** People whose playground key was revoked. */
  revoked: projectProcedure.query(({ ctx, input }) => ctx.store.playground.revoked(input.projectId)),

  /** Lets someone call from the dashboard again. */
  allow: projectProcedure.input(z.object({ userId: id })).mutation(async ({ ctx, input }) => {
    if (await ctx.store.playground.allow(input)) return;
    throw notFound("userId", "revoked playground key");
  }),
});
