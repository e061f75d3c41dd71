import { z } from "zod";
import { MEMBER_ROLES, resetPassword } from "../../../operations/members.ts";
import { ROLES } from "../../../vocabulary/roles.ts";
import { id } from "../../access/fields.ts";
import { operationProcedure, projectProcedure, router } from "../../access/procedures.ts";

const text = z.string("must be a text");
const role = z.enum(ROLES, `must be ${ROLES.join(", ")}`);

/** Members of a project, and who is invited to it. */
export const membersRouter = router({
  list: projectProcedure.query(async ({ ctx, input }) => {
    const members = await ctx.store.memberships.listMembers(input.projectId);
    return members.map((member) => ({ ...member, isYou: member.userId === ctx.user.userId }));
  }),

  invitations: projectProcedure.query(async ({ ctx, input }) => {
    const invitations = await ctx.store.invitations.list(input.projectId);
    return invitations.map(({ projectId: _, ...invitation }) => invitation);
  }),

  /** The token is shown this once. */
  invite: operationProcedure("createInvitation")
    .input(z.object({ email: text, role }))
    .mutation(async ({ ctx, input }) => {
      const { projectId: project, email } = input;
      const invited = { project, email, role: MEMBER_ROLES[input.role] };
      const { token } = await ctx.operation(invited);
      return { token };
    }),

  revokeInvitation: operationProcedure("revokeInvitation")
    .input(z.object({ invitationId: text }))
    .mutation(async ({ ctx, input }) => {
      await ctx.operation({ project: input.projectId, id: input.invitationId });
    }),

  setRole: operationProcedure("setMemberRole")
    .input(z.object({ userId: text, role }))
    .mutation(async ({ ctx, input }) => {
      const { projectId: project, userId: member } = input;
      await ctx.operation({ project, member, role: MEMBER_ROLES[input.role] });
    }),

  remove: projectProcedure.input(z.object({ userId: text })).mutation(async ({ ctx, input }) => {
    await ctx.operate.removeMember({ project: input.projectId, member: input.userId });
  }),

  /** Makes the link through which a member chooses a new password. The token is shown this once. */
  resetPassword: projectProcedure.input(z.object({ userId: id })).mutation(async ({ ctx, input }) => {
    const { secret, expiresAt } = await resetPassword(ctx.store.resets, { ...input, madeBy: ctx.user.userId });
    return { token: secret, expiresAt };
  }),

  leave: operationProcedure("removeMember").mutation(async ({ ctx, input }) => {
    await ctx.operation({ project: input.projectId, member: ctx.user.userId });
  }),
});
