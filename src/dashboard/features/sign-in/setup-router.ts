import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { hashNewPassword } from "../../access/check-password.ts";
import { email, linkSecret, newPassword } from "../../access/fields.ts";
import { publicProcedure, router } from "../../access/procedures.ts";

const STALE = "this link is no longer valid: 'attune users create-owner' prints a new one as long as there is no owner";

/** The first account. */
export const setupRouter = router({
  createOwner: publicProcedure
    .input(z.object({ token: linkSecret, email, password: newPassword }))
    .mutation(async ({ ctx, input }) => {
      // Asked first: who has no good link makes this process hash nothing.
      if (!(await ctx.store.setup.accepts(input.token))) throw new TRPCError({ code: "FORBIDDEN", message: STALE });
      const passwordHash = await hashNewPassword(ctx, input.password);
      const owner = await ctx.store.setup.createOwner(input.token, { email: input.email, passwordHash });
      if (owner === undefined) throw new TRPCError({ code: "FORBIDDEN", message: STALE });
      await ctx.browser.signIn(owner.id);
    }),
});
