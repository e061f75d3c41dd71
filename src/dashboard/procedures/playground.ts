import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { id } from "../access/fields.ts";
import { projectProcedure, router } from "../access/procedures.ts";

/** What the playground asks beside the calls themselves, which go to the public API below /dashboard/api/playground. */
export const playgroundRouter = router({
  /** What is recorded of a call; null while its record is on its way. */
  facts: projectProcedure("viewer")
    .input(z.object({ inferenceId: id }))
    .query(async ({ ctx, input }) => (await ctx.store.playground.factsOf(input.projectId, input.inferenceId)) ?? null),

  /** People whose playground key was revoked. */
  revoked: projectProcedure("owner").query(({ ctx, input }) => ctx.store.playground.revoked(input.projectId)),

  /** Lets someone call from the dashboard again. */
  allow: projectProcedure("owner")
    .input(z.object({ userId: id }))
    .mutation(async ({ ctx, input }) => {
      if (await ctx.store.playground.allow(input)) return;
      throw new TRPCError({ code: "NOT_FOUND", message: "there is no such revoked playground key" });
    }),
});
