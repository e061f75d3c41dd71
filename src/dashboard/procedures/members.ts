import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { includesPermission, refusalOf } from "../../hub/permissions.ts";
import { ROLES, type Role } from "../../hub/roles.ts";
import type { MembershipChange } from "../../store/dashboard/memberships.ts";
import { email, id } from "../access/fields.ts";
import { forbidden, projectProcedure, router } from "../access/procedures.ts";

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
  invite: projectProcedure.input(z.object({ email, role })).mutation(async ({ ctx, input }) => {
    if (input.role === "owner" && !includesPermission(ctx.role, "owners.change")) {
      throw forbidden(refusalOf(ctx.role, "owners.change"));
    }
    const members = await ctx.store.memberships.membersOf(input.projectId);
    if (members.some((member) => member.email === input.email.toLowerCase())) {
      throw new TRPCError({ code: "CONFLICT", message: "email: is a member already" });
    }
    const { secret, info } = await ctx.store.invitations.create(input);
    return { token: secret, expiresAt: info.expiresAt };
  }),

  revokeInvitation: projectProcedure.input(z.object({ invitationId: id })).mutation(async ({ ctx, input }) => {
    if (await ctx.store.invitations.revoke(input.projectId, input.invitationId)) return;
    throw new TRPCError({ code: "NOT_FOUND", message: "there is no such invitation" });
  }),

  setRole: projectProcedure.input(z.object({ userId: id, role })).mutation(async ({ ctx, input }) => {
    checkChange(await ctx.store.memberships.setRole({ ...input, by: ctx.role }, input.role), ctx.role);
  }),

  remove: projectProcedure.input(z.object({ userId: id })).mutation(async ({ ctx, input }) => {
    checkChange(await ctx.store.memberships.remove({ ...input, by: ctx.role }), ctx.role);
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
    checkChange(await ctx.store.memberships.remove({ ...input, userId: ctx.user.userId }), ctx.role);
  }),
});

function checkChange(change: MembershipChange, role: Role): void {
  if (change === "owners-only") throw forbidden(refusalOf(role, "owners.change"));
  if (change === "not-found") throw new TRPCError({ code: "NOT_FOUND", message: "there is no such member" });
  if (change === "by-groups") {
    const message = "this role comes from groups of the sign-in provider: change the groups there";
    throw new TRPCError({ code: "CONFLICT", message });
  }
  if (change === "last-owner") {
    throw new TRPCError({ code: "CONFLICT", message: "a project keeps an owner: make someone else owner first" });
  }
}
