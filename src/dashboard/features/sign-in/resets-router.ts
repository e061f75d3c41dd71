import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { checkPasswordsOn, hashNewPassword } from "../../access/check-password.ts";
import { linkSecret, newPassword } from "../../access/fields.ts";
import { publicProcedure, router } from "../../access/procedures.ts";

const STALE = "this link is no longer valid: ask for a new one";

/** The way back for who forgot the password. Both are mutations, so that the secret is in no address. */
export const resetsRouter = router({
  open: publicProcedure.input(z.object({ token: linkSecret })).mutation(async ({ ctx, input }) => {
    const reset = await ctx.store.resets.open(input.token);
    if (reset === undefined) throw new TRPCError({ code: "FORBIDDEN", message: STALE });
    return { email: reset.email };
  }),

  /** Replaces the password, ends all sessions of the person, and begins one here. */
  redeem: publicProcedure
    .input(z.object({ token: linkSecret, password: newPassword }))
    .mutation(async ({ ctx, input }) => {
      // Asked first: who has no good link makes this process hash nothing.
      const opened = await ctx.store.resets.open(input.token);
      const isGood = opened !== undefined;
      if (isGood) checkPasswordsOn(ctx, await ctx.store.accounts.find(opened.userId));
      const passwordHash = isGood ? await hashNewPassword(ctx, input.password) : "";
      const reset = isGood ? await ctx.store.resets.redeem(input.token, passwordHash) : undefined;
      if (reset === undefined) throw new TRPCError({ code: "FORBIDDEN", message: STALE });
      await ctx.store.attempts.forget({ account: reset.email, address: ctx.browser.address });
      await ctx.browser.signIn(reset.userId);
    }),
});
