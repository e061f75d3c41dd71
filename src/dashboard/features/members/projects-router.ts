import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { includesPermission } from "../../../vocabulary/permissions.ts";
import { id } from "../../access/fields.ts";
import { atFields } from "../../access/operation-errors.ts";
import { forbidden, operationProcedure, projectProcedure, router, userProcedure } from "../../access/procedures.ts";

const name = z.string("must be a text");

/** Projects. Those of who is signed in come with session.current. */
export const projectsRouter = router({
  /** For owners of some project: someone who was invited to look at one makes no others. */
  create: userProcedure.input(z.object({ name })).mutation(async ({ ctx, input }) => {
    const projects = await ctx.store.memberships.listProjects(ctx.user.userId);
    const own = projects.find(({ role }) => includesPermission(role, "project.change"));
    if (own === undefined) throw forbidden("only owners of a project create others");
    const created = await atFields(ctx.operateIn(own).createProject({ project: { name: input.name } }), {
      project: "",
    });
    return { id: created.project?.id ?? "", name: created.project?.name ?? "", role: "owner" as const };
  }),

  rename: projectProcedure.input(z.object({ name })).mutation(async ({ ctx, input: { projectId: project, name } }) => {
    const request = { project, update: { name }, updateMask: { paths: ["name"] } };
    await atFields(ctx.operate.updateProject(request), { update: "" });
  }),

  /** Takes the name of the project, so that nobody deletes another one than they mean. */
  delete: operationProcedure("deleteProject")
    .input(z.object({ name }))
    .mutation(async ({ ctx, input }) => {
      const { projectId, name } = input;
      const projects = await ctx.store.memberships.listProjects(ctx.user.userId);
      if (projects.find(({ id: each }) => each === projectId)?.name !== name) {
        throw new TRPCError({ code: "BAD_REQUEST", message: "name: must be the name of the project" });
      }
      await atFields(ctx.operation({ project: projectId }), { project: "name" });
    }),

  /** Lists projects of who is signed in that were deleted, with how far that is. */
  deletions: userProcedure.query(({ ctx }) => ctx.store.projects.listDeletions(ctx.user.userId)),

  /** Undoes the deletion of a project that who is signed in owns. */
  restore: userProcedure.input(z.object({ deletedId: id })).mutation(async ({ ctx, input }) => {
    const owned = await ctx.store.projects.listDeletions(ctx.user.userId);
    // Who owns none sees none.
    const id = owned.find(({ projectId }) => projectId === input.deletedId)?.projectId ?? "";
    await ctx.operateIn({ id, role: "owner" }).restoreProject({ project: input.deletedId });
  }),
});
