import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { includesPermission } from "../../hub/permissions.ts";
import { displayName, id } from "../access/fields.ts";
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

  /** Takes the name of the project, so that nobody deletes another one than they mean. */
  delete: projectProcedure.input(z.object({ name: z.string("must be a text") })).mutation(async ({ ctx, input }) => {
    const { projectId, name } = input;
    const projects = await ctx.store.memberships.projectsOf(ctx.user.userId);
    if (projects.find(({ id: each }) => each === projectId)?.name !== name) {
      throw new TRPCError({ code: "BAD_REQUEST", message: "name: must be the name of the project" });
    }
    if (await ctx.store.projects.delete(projectId)) return;
    throw new TRPCError({ code: "CONFLICT", message: "the default project cannot be deleted" });
  }),

  /** Lists projects of who is signed in that were deleted, with how far that is. */
  deletions: userProcedure.query(({ ctx }) => ctx.store.projects.deletionsOf(ctx.user.userId)),

  /** Undoes the deletion of a project that who is signed in owns. */
  restore: userProcedure.input(z.object({ deletedId: id })).mutation(async ({ ctx, input }) => {
    const own = await ctx.store.projects.deletionsOf(ctx.user.userId);
    const isOwn = own.some(({ projectId }) => projectId === input.deletedId);
    const outcome = isOwn ? await ctx.store.projects.restore(input.deletedId) : undefined;
    if (outcome === "name-taken")
      throw new TRPCError({ code: "CONFLICT", message: "another project has its name by now" });
    if (outcome === undefined) {
      throw new TRPCError({ code: "NOT_FOUND", message: "there is no such deletion that can be undone" });
    }
  }),
});
