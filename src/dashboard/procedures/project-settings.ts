import { z } from "zod";
import { BODY_POLICIES } from "../../store/dashboard/project-settings.ts";
import { projectProcedure, router } from "../access/procedures.ts";

/** What the owners of a project set. */
export const projectSettingsRouter = router({
  read: projectProcedure("viewer").query(({ ctx, input }) => ctx.store.settings.read(input.projectId)),

  /** Sets what is kept of requests and answers from now on; what is already kept stays. */
  setBodies: projectProcedure("owner")
    .input(z.object({ bodies: z.enum(BODY_POLICIES, `must be ${BODY_POLICIES.join(", ")}`) }))
    .mutation(async ({ ctx, input }) => {
      await ctx.store.settings.setBodies(input.projectId, input.bodies);
    }),
});
