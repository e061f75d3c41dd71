import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { checkPassword, hashNewPassword } from "../access/check-password.ts";
import type { DashboardContext } from "../access/context.ts";
import { givenPassword, linkSecret, newPassword } from "../access/fields.ts";
import { publicProcedure, router } from "../access/procedures.ts";

const STALE = "this invitation is no longer good: ask for a new one";
/** The invitation is still good, and asks for another password than the one that was given. */
const JUST_MADE = "an account of this address was made just now: open the invitation again";

const CHANGED = {
  code: "UNAUTHORIZED",
  message: "the password of this account has just been changed: sign in with it",
} as const;

/** Invitations, as those who are invited see them. Both are mutations, so that the secret is in no address. */
export const invitationsRouter = router({
  open: publicProcedure.input(z.object({ token: linkSecret })).mutation(async ({ ctx, input }) => {
    const { email, role, projectName, account } = await openInvitation(ctx, input.token);
    return { email, role, projectName, hasAccount: account !== undefined };
  }),

  /** Takes the password of the account that there is, or the one that the new account is to have. */
  accept: publicProcedure
    .input(z.object({ token: linkSecret, password: givenPassword }))
    .mutation(async ({ ctx, input }) => {
      const { email, account, projectId } = await openInvitation(ctx, input.token);
      if (account !== undefined) {
        const attempt = { email, password: input.password, hash: account.passwordHash };
        if (!(await checkPassword(ctx, attempt))) {
          throw new TRPCError({ code: "BAD_REQUEST", message: "password: is not the one of this account" });
        }
      }
      const newHash = account === undefined ? await hashChosen(ctx, input.password) : undefined;
      const userId = await ctx.store.invitations.accept(input.token, newHash);
      if (userId === undefined) {
        await openInvitation(ctx, input.token);
        throw new TRPCError({ code: "CONFLICT", message: JUST_MADE });
      }
      if (account === undefined) await ctx.browser.signIn(userId);
      else if (!(await ctx.browser.signInByPassword(userId, account.passwordHash))) throw new TRPCError(CHANGED);
      return { projectId };
    }),
});

async function openInvitation(context: DashboardContext, token: string) {
  const invitation = await context.store.invitations.open(token);
  if (invitation === undefined) throw new TRPCError({ code: "FORBIDDEN", message: STALE });
  return invitation;
}

async function hashChosen(context: DashboardContext, password: string): Promise<string> {
  const { error } = newPassword.safeParse(password);
  if (error !== undefined) {
    throw new TRPCError({ code: "BAD_REQUEST", message: `password: ${error.issues[0]?.message ?? "is not accepted"}` });
  }
  return await hashNewPassword(context, password);
}
