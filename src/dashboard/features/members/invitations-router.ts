import { TRPCError } from "@trpc/server";
import { z } from "zod";
import type { Account } from "../../../store/dashboard/accounts.ts";
import {
  checkPassword,
  checkPasswordsOn,
  countAttempt,
  getPasswordHash,
  hashNewPassword,
} from "../../access/check-password.ts";
import type { DashboardContext } from "../../access/context.ts";
import { enteredPassword, linkSecret, newPassword } from "../../access/fields.ts";
import { publicProcedure, router } from "../../access/procedures.ts";

const STALE = "this invitation is no longer valid: ask for a new one";

/**
 * One answer for a password that is not the account's and for one that no new account may have: whether there is one is
 * not told.
 */
const REFUSED = {
  code: "BAD_REQUEST",
  message:
    "password: is not accepted: give the one of your account or, if you have none, a new one of 12 " +
    "characters or more that is not so uniform",
} as const;

const CHANGED = {
  code: "UNAUTHORIZED",
  message: "the password of this account has just been changed: sign in with it",
} as const;

/**
 * Invitations, as those who are invited see them. Both are mutations, so that the secret is in no address. Until one is
 * accepted, its link does not tell whether its address has an account: who made the link has it too.
 */
export const invitationsRouter = router({
  open: publicProcedure.input(z.object({ token: linkSecret })).mutation(async ({ ctx, input }) => {
    const { email, role, projectName } = await openInvitation(ctx, input.token);
    return { email, role, projectName };
  }),

  /** Takes the password of the account that there is, or the one that the new account is to have. */
  accept: publicProcedure
    .input(z.object({ token: linkSecret, password: enteredPassword }))
    .mutation(async ({ ctx, input }) => {
      checkPasswordsOn(ctx);
      const { email, account, projectId } = await openInvitation(ctx, input.token);
      const newHash = await judgePassword(ctx, { email, account, password: input.password });
      const userId = await ctx.store.invitations.accept(input.token, newHash);
      if (userId === undefined) {
        await openInvitation(ctx, input.token);
        // An account of this address was made just now, with another password.
        throw new TRPCError(REFUSED);
      }
      const hash = getPasswordHash(ctx, account);
      if (hash === undefined) await ctx.browser.signIn(userId);
      else if (!(await ctx.browser.signInByPassword(userId, hash))) throw new TRPCError(CHANGED);
      return { projectId };
    }),
});

interface Accepting {
  readonly email: string;
  readonly account: Account | undefined;
  readonly password: string;
}

/**
 * Resolves to the hash of the password for a new account, and to undefined where it is the one of the account. Throws
 * BAD_REQUEST for any other: whether there is an account or not, the try is counted, and one password is hashed.
 */
async function judgePassword(
  context: DashboardContext,
  { email, account, password }: Accepting,
): Promise<string | undefined> {
  const who = { email, through: "invitation" } as const;
  if (account === undefined && newPassword.safeParse(password).success) {
    await context.store.attempts.forget(await countAttempt(context, who));
    return await hashNewPassword(context, password);
  }
  if (await checkPassword(context, { ...who, password, hash: getPasswordHash(context, account) })) return undefined;
  throw new TRPCError(REFUSED);
}

async function openInvitation(context: DashboardContext, token: string) {
  const invitation = await context.store.invitations.open(token);
  if (invitation === undefined) throw new TRPCError({ code: "FORBIDDEN", message: STALE });
  return invitation;
}
