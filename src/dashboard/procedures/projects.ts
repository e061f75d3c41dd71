import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { includesPermission } from "../../hub/permissions.ts";
import { displayName } from "../access/fields.ts";
import { forbidden, projectProcedure, router, userProcedure } from "../access/procedures.ts";

const TAKEN = "name: another project has this name";

/** Projects. Those of who is signed in come with session.current. */
export const projectsRouter = router({
  /** For owners of some project: someone who was invited to look at one makes no others. */
  create: userProcedure.input(z.object({ name: displayName })).mutation(async ({ ctx, input }) => {
    const projects = await ctx.store.memberships.projectsOf(ctx.user.userId);
    if (!projects.some(({ role }) => includesPermission(role, "project.change"))) {
      throw forbidden("only owners of a project create others");
    }
    const project = await ctx.store.projects.create(input.name, ctx.user.userId);
    if (project === undefined) throw new TRPCError({ code: "CONFLICT", message: TAKEN });
    return project;
  }),

  rename: projectProcedure.input(z.object({ name: displayName })).mutation(async ({ ctx, input }) => {
    if (await ctx.store.projects.rename(input.projectId, input.name)) return;
    throw new TRPCError({ code: "CONFLICT", message: TAKEN });
  }),
});
