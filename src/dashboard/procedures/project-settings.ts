import { z } from "zod";
import { OPTIMIZATION_NAMES } from "../../catalog/model.ts";
import { BODY_POLICIES } from "../../store/dashboard/project-settings.ts";
import { projectProcedure, router } from "../access/procedures.ts";

/** The settings of a project, which its owners change. */
export const projectSettingsRouter = router({
  read: projectProcedure.query(({ ctx, input }) => ctx.store.settings.read(input.projectId)),

  /** Sets what is kept of requests and answers from now on; what is already kept stays. */
  setBodies: projectProcedure
    .input(z.object({ bodies: z.enum(BODY_POLICIES, `must be ${BODY_POLICIES.join(", ")}`) }))
    .mutation(async ({ ctx, input }) => {
      await ctx.store.settings.set(input.projectId, { bodies: input.bodies });
    }),

  /** Sets which optimisations are switched off for the project; all others go by the configuration. */
  setOptimizations: projectProcedure
    .input(z.object({ off: z.array(z.enum(OPTIMIZATION_NAMES)).max(OPTIMIZATION_NAMES.length) }))
    .mutation(async ({ ctx, input }) => {
      await ctx.store.settings.set(input.projectId, { optimizationsOff: [...new Set(input.off)] });
    }),
});
