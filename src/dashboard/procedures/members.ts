import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { MEMBER_ROLES } from "../../operations/members.ts";
import { ROLES } from "../../vocabulary/roles.ts";
import { id } from "../access/fields.ts";
import { projectProcedure, router } from "../access/procedures.ts";

const text = z.string("must be a text");
const role = z.enum(ROLES, `must be ${ROLES.join(", ")}`);

const OTHER_PROJECTS =
  "this member belongs to projects that you do not own: an owner of all of them can make the link, or who " +
  "runs Attune, with 'attune users reset'";

/** Members of a project, and who is invited to it. */
export const membersRouter = router({
  list: projectProcedure.query(async ({ ctx, input }) => {
    const members = await ctx.store.memberships.membersOf(input.projectId);
    return members.map((member) => ({ ...member, isYou: member.userId === ctx.user.userId }));
  }),

  invitations: projectProcedure.query(async ({ ctx, input }) => {
    const invitations = await ctx.store.invitations.list(input.projectId);
    return invitations.map(({ projectId: _, ...invitation }) => invitation);
  }),

  /** The token is shown this once. */
  invite: projectProcedure.input(z.object({ email: text, role })).mutation(async ({ ctx, input }) => {
    const { projectId: project, email } = input;
    const invited = { project, email: email.trim(), role: MEMBER_ROLES[input.role] };
    const { token } = await ctx.operate.createInvitation(invited);
    return { token };
  }),

  revokeInvitation: projectProcedure.input(z.object({ invitationId: id })).mutation(async ({ ctx, input }) => {
    await ctx.operate.revokeInvitation({ project: input.projectId, id: input.invitationId });
  }),

  setRole: projectProcedure.input(z.object({ userId: id, role })).mutation(async ({ ctx, input }) => {
    const { projectId: project, userId: member } = input;
    await ctx.operate.setMemberRole({ project, member, role: MEMBER_ROLES[input.role] });
  }),

  remove: projectProcedure.input(z.object({ userId: id })).mutation(async ({ ctx, input }) => {
    await ctx.operate.removeMember({ project: input.projectId, member: input.userId });
  }),

  /** Makes the link through which a member chooses a new password. The token is shown this once. */
  resetPassword: projectProcedure.input(z.object({ userId: id })).mutation(async ({ ctx, input }) => {
    const { projectId, userId } = input;
    if (userId === ctx.user.userId) {
      throw new TRPCError({ code: "CONFLICT", message: "this is you: change your password under Account" });
    }
    const reset = await ctx.store.resets.createForMember({ projectId, userId, madeBy: ctx.user.userId });
    if (reset === "not-found") throw new TRPCError({ code: "NOT_FOUND", message: "there is no such member" });
    if (reset === "other-projects") throw new TRPCError({ code: "CONFLICT", message: OTHER_PROJECTS });
    return { token: reset.secret, expiresAt: reset.expiresAt };
  }),

  leave: projectProcedure.mutation(async ({ ctx, input }) => {
    await ctx.operate.removeMember({ project: input.projectId, member: ctx.user.userId });
  }),
});
