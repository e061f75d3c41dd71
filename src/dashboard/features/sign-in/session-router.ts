import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { OWN_COMMAND } from "../../../lib/own-command.ts";
import { isDefaultProject } from "../../../store/dashboard/projects.ts";
import { checkPassword, getPasswordHash, hashNewPassword } from "../../access/check-password.ts";
import { email, enteredPassword, id, newPassword } from "../../access/fields.ts";
import { publicProcedure, router, userProcedure } from "../../access/procedures.ts";

/** Signing in and out, and the account of who is signed in. */
export const sessionRouter = router({
  /** Returns the signed-in user with their projects, or nobody, and whether any account exists yet. */
  current: publicProcedure.query(async ({ ctx }) => {
    const user = await ctx.browser.session();
    if (user === undefined) {
      const providers = [...ctx.signIn.providers].map(([name, { settings }]) => ({
        name,
        label: settings.label ?? name,
      }));
      const needsOwner = providers.length === 0 && (await ctx.store.accounts.isEmpty());
      const ownerCommand = needsOwner ? `${OWN_COMMAND} users create-owner` : null;
      return { user: null, ownerCommand, providers, isPasswordOff: ctx.signIn.required } as const;
    }
    const own = await ctx.store.memberships.listProjects(user.userId);
    const projects = own.map((project) => ({ ...project, isDefault: isDefaultProject(project.id) }));
    const { exampleModel, publicUrl = null } = ctx;
    return { user: { id: user.userId, email: user.email }, projects, exampleModel, publicUrl } as const;
  }),

  signIn: publicProcedure.input(z.object({ email, password: enteredPassword })).mutation(async ({ ctx, input }) => {
    const account = await ctx.store.accounts.findByEmail(input.email);
    const hash = getPasswordHash(ctx, account);
    const isRight = await checkPassword(ctx, { ...input, hash });
    const isIn =
      account !== undefined && hash !== undefined && isRight && (await ctx.browser.signInByPassword(account.id, hash));
    if (account !== undefined && !isRight) await ctx.store.accounts.noteRefused(account);
    if (!isIn) throw new TRPCError({ code: "UNAUTHORIZED", message: "the e-mail address or the password is wrong" });
  }),

  signOut: userProcedure.mutation(({ ctx }) => ctx.browser.signOut()),

  signOutEverywhere: userProcedure.mutation(async ({ ctx }) => {
    const ended = await ctx.store.sessions.endAll(ctx.user.userId);
    await ctx.browser.signOut();
    return { ended };
  }),

  list: userProcedure.query(async ({ ctx }) => {
    const sessions = await ctx.store.sessions.list(ctx.user.userId);
    return sessions.map(({ userId: _, ...session }) => ({ ...session, isThis: session.id === ctx.user.sessionId }));
  }),

  end: userProcedure.input(z.object({ sessionId: id })).mutation(async ({ ctx, input }) => {
    if (await ctx.store.sessions.end(ctx.user.userId, input.sessionId)) return;
    throw new TRPCError({ code: "NOT_FOUND", message: "there is no such session" });
  }),

  changePassword: userProcedure
    .input(z.object({ currentPassword: enteredPassword, newPassword }))
    .mutation(async ({ ctx, input }) => {
      const account = await ctx.store.accounts.find(ctx.user.userId);
      const attempt = { email: ctx.user.email, password: input.currentPassword, hash: getPasswordHash(ctx, account) };
      if (!(await checkPassword(ctx, attempt))) {
        throw new TRPCError({ code: "BAD_REQUEST", message: "currentPassword: is not your password" });
      }
      await ctx.store.accounts.setPassword(ctx.user.userId, await hashNewPassword(ctx, input.newPassword));
      return { ended: await ctx.store.sessions.endAll(ctx.user.userId, ctx.user.sessionId) };
    }),
});
